/** What the doctor's page has of style beyond that of every page. @module */

export const LOOK = `
header,main,footer{max-width:1400px}body:not([data-state=read]) :is(header,main,footer){max-width:1060px}
.unseen{position:fixed;opacity:0;pointer-events:none}
.top{display:flex;align-items:center;justify-content:space-between;gap:16px;padding-top:22px}
.languages{display:flex;gap:4px}.languages button{padding:2px 10px;font-size:13px;background:none;border-color:transparent;color:var(--muted)}
button[aria-pressed=true]{background:var(--soft);border-color:var(--grid);color:var(--ink)}
button.main{background:var(--plain);border-color:var(--plain);color:var(--card);font-weight:600}
button:hover{border-color:var(--muted)}button.main:hover{filter:brightness(1.08)}
.row{display:flex;flex-wrap:wrap;align-items:center;gap:8px 12px}
main>h1{margin-top:6px}
.start{max-width:1060px}.start h1{font-size:38px;letter-spacing:-.01em;margin-top:34px}
.lead{font-size:18px;line-height:1.5;color:var(--muted);max-width:62ch;margin:0 0 24px}
.drop{display:flex;flex-direction:column;align-items:center;gap:12px;padding:34px 26px 26px;border:2px dashed var(--grid);border-radius:16px;background:var(--card);text-align:center;transition:border-color .15s}
.drop .row{justify-content:center}.drop button{padding:7px 18px}
.over .drop,.over .found,.over .waiting{border-color:var(--first);outline:3px solid var(--first);outline-offset:6px;border-radius:16px}
.big{font-size:20px;font-weight:600;margin:0}.drop .about{margin:0 0 6px}
.pulse{width:200px;height:76px}.pulse path{fill:none;stroke:var(--first);stroke-width:3;stroke-linecap:round;stroke-linejoin:round}
.paste{display:flex;gap:12px;width:100%;margin-top:14px;align-items:flex-end}
textarea{flex:1;min-width:0;resize:vertical;font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace;color:var(--ink);background:var(--paper);border:1px solid var(--grid);border-radius:8px;padding:10px 12px}
textarea::placeholder{color:var(--muted);font-family:Inter,system-ui,sans-serif}
textarea:focus-visible,select:focus-visible,.lines:focus-visible,pre:focus-visible{outline:2px solid var(--first);outline-offset:1px}
.three{display:grid;grid-template-columns:repeat(auto-fit,minmax(260px,1fr));gap:12px 34px;margin-top:30px}
.three p{margin:0;color:var(--muted);font-size:14px}
.waiting{display:flex;flex-direction:column;align-items:center;gap:10px;padding:110px 24px}
.spinner{width:38px;height:38px;border-radius:50%;border:4px solid var(--grid);border-top-color:var(--first);animation:turn .9s linear infinite}
@keyframes turn{to{transform:rotate(360deg)}}@media (prefers-reduced-motion:reduce){.spinner{animation-duration:6s}}
.found{padding-bottom:8px}.bar-top{display:flex;flex-wrap:wrap;align-items:baseline;gap:6px 16px;margin:12px 0 14px}
.bar-top b{overflow-wrap:anywhere}.bar-top .about{margin:0;flex:1;max-width:none;min-width:12em;font-size:14px}
.runs{display:flex;flex-wrap:wrap;gap:6px;margin:0 0 12px}
.verdict{background:var(--card);border:1px solid var(--grid);border-left:5px solid var(--muted);border-radius:12px;padding:18px 24px 20px}
.verdict.failed{border-left-color:var(--wrong)}.verdict.ok{border-left-color:var(--good)}.verdict.interrupted{border-left-color:var(--doubtful)}
.verdict h1{margin:0;font-size:28px;outline:0}.verdict h1 .status{margin-right:8px;font-size:14px;text-transform:uppercase;letter-spacing:.05em;position:relative;top:-3px}
.verdict h1 .said{font-size:20px;font-weight:600;line-height:1.4;overflow-wrap:anywhere}.verdict .places{display:flex;flex-wrap:wrap;gap:4px 14px;margin:10px 0 0;font-size:14px}
.verdict .headline{margin:10px 0 0;max-width:92ch}.verdict ul{margin:10px 0 0;padding-left:20px;color:var(--muted)}
.verdict .missing{margin:14px 0 0;font-size:15px}.verdict .missing+ul{margin-top:4px}
.means{color:var(--muted)}.verdict .means{margin:8px 0 0;font-size:15.5px;max-width:92ch}small.means{display:block;margin-top:4px;font-size:12.5px;line-height:1.4}
.columns{display:grid;grid-template-columns:minmax(0,1fr);gap:0 30px}.below .charts{grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),420px))}.left>section:first-child h2,.text h2{margin-top:30px}
h2{margin:34px 0 12px}
.charts{grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr))}
figcaption{min-height:0}.drawing{padding:13px 14px 8px}.drawing svg{width:100%;height:190px;display:block}
.drawing text{fill:var(--muted);font-size:12px}.drawing .grid{stroke:var(--grid)}
.drawing path{fill:none;stroke:var(--first);stroke-linejoin:round}.drawing .thin{stroke-width:1;opacity:.4}.drawing .bold{stroke-width:2}
.drawing .dot{fill:var(--first)}.drawing .mark{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:4 3}.drawing .broken{stroke:var(--bad);stroke-width:1.5}.drawing .dot.told{fill:var(--card);stroke:var(--first);stroke-width:1.5}.drawing .broken.told{stroke-dasharray:1.5 1.5}.drawing .cross{stroke:var(--muted)}
.tip{position:absolute;right:14px;top:12px;font-size:12.5px;font-variant-numeric:tabular-nums;background:var(--card);padding:0 4px}
.evidence td{padding:5px 14px}.evidence td:first-child{min-width:11.5em}.place{padding:0;border:0;background:none;color:var(--plain);text-align:left;overflow-wrap:anywhere;text-decoration:underline;text-underline-offset:3px;text-decoration-thickness:1px}
.card,.copied{background:var(--card);border:1px solid var(--grid);border-radius:10px;padding:14px 18px}
.copied{display:flex;gap:12px;align-items:flex-start;padding:10px 12px 10px 0}.copied .code{flex:1;min-width:0;border:0;padding:4px 0 4px 16px;white-space:pre-wrap;overflow-wrap:anywhere}
.decides td:nth-child(3){min-width:5.5em}.decides th{white-space:nowrap}.scroll+ul.about{margin-top:10px}td .copied{padding:0;border:0;background:none;margin-top:8px}td .copied .code{margin:0;padding:8px 12px}.copied+p{margin:10px 0 0}.of{margin:14px 0 6px;font-size:13.5px;color:var(--muted)}
.copy{font-size:13px;padding:2px 10px;white-space:nowrap}
.card label{display:flex;align-items:center;gap:7px;cursor:pointer}
.taken p{margin:12px 0 4px;color:var(--muted)}.taken ul{margin:0;padding-left:20px;font-size:13px}.taken code{overflow-wrap:anywhere}.taken.careful p{color:var(--wrong)}
#markdown{white-space:pre-wrap;overflow-wrap:anywhere;max-height:420px}
ul.about{padding-left:20px;max-width:none;font-size:13.5px}
.text .row{margin-bottom:8px;font-size:13.5px}.text .where{color:var(--muted);font-variant-numeric:tabular-nums}
select,input[type=number]{font:inherit;color:inherit;background:var(--card);border:1px solid var(--grid);border-radius:6px;padding:2px 8px}select{max-width:15em}input[type=number]{width:6.5em}
.text{--proof:var(--wrong)}.text.calm{--proof:var(--plain)}
.step{padding:2px 10px}
.lines{position:relative;max-height:70vh;overflow:auto;overscroll-behavior:contain;background:var(--card);border:1px solid var(--grid);border-radius:10px;padding:8px 0;font:12.5px/1.55 ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono","Noto Sans Mono CJK SC",monospace}
.lines .about{padding:0 16px;font-family:Inter,system-ui,sans-serif}
.shown{display:grid;grid-template-columns:4.6em minmax(0,1fr);border-left:3px solid transparent;outline:0}
.shown .number{color:var(--muted);text-align:right;padding-right:1em;user-select:none;opacity:.75}.shown .said{white-space:pre-wrap;overflow-wrap:anywhere;padding-right:12px}
.shown i{color:var(--muted)}
.proof{background:color-mix(in srgb,var(--proof) 6%,transparent)}.proof .number{opacity:1;color:var(--proof);font-weight:600}
.chosen{border-left-color:var(--proof)}.chosen.proof{background:color-mix(in srgb,var(--proof) 11%,transparent)}
mark{background:color-mix(in srgb,var(--proof) 20%,transparent);color:inherit;font-weight:700;border-radius:3px;padding:1px 2px;margin:0 -2px;box-decoration-break:clone;-webkit-box-decoration-break:clone}
.narrow{margin-left:auto}
@media (min-width:1100px){.columns{grid-template-columns:minmax(0,1.12fr) minmax(0,1fr)}.text{position:sticky;top:0;align-self:start}.lines{max-height:calc(100vh - 136px)}.narrow{display:none}}
@media (max-width:520px){.stacked td:has(>div:empty){display:none}.top{padding-top:16px}.start h1{font-size:28px;margin-top:16px}.lead{font-size:16px}.drop{padding:22px 14px 14px}.paste{flex-direction:column;align-items:stretch}.verdict{padding:14px 16px}.verdict h1{font-size:22px}.verdict h1 .status{display:table;margin-bottom:8px;top:0}.headline{font-size:16px}.shown{grid-template-columns:3.6em minmax(0,1fr)}.copied{flex-wrap:wrap;padding:10px 12px}.copied .code{padding:0;flex-basis:100%}.bar-top .main{margin-left:auto}}
@media print{.top,.bar-top button,.text,.copy,#share{display:none}.columns{display:block}.shown{break-inside:avoid}}
`;
