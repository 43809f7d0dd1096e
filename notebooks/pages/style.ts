/** The style sheet of every page. @module */
import { SEVERITY_COLORS } from "../charts/findings.ts";
import { DARK, GROUND, nameOf, PALETTE, TEXT } from "../charts/palette.ts";

const variables = (colors: Readonly<Record<string, string>>) =>
  Object.entries(colors).map(([name, color]) => `--${name}:${color}`).join(";");
const LIGHT_PAGE = variables({ ...GROUND.light, ...TEXT.light, ...PALETTE });
const DARK_PAGE = variables({ ...GROUND.dark, ...TEXT.dark, ...DARK });

/** A card has the colour that its severity has in charts. */
const SEVERITIES = Object.entries(SEVERITY_COLORS).map(([severity, color]) =>
  `.finding.${severity}{border-left-color:var(--${nameOf(color)})}`
).join("");

export const STYLE = `
:root{${LIGHT_PAGE}}
@media (prefers-color-scheme:dark){:root{${DARK_PAGE}}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 Inter,system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
header,main,footer{max-width:1060px;margin:0 auto;padding:0 24px}
header{padding-top:36px}
.brand{margin:0;color:var(--muted);letter-spacing:.14em;text-transform:uppercase;font-size:12px}
h1{font-size:30px;line-height:1.2;margin:4px 0 6px;font-weight:650}
a{color:var(--plain)}button{font:inherit;color:inherit;background:var(--soft);border:1px solid var(--grid);border-radius:6px;padding:3px 12px;cursor:pointer}button:disabled{opacity:.45;cursor:default}
#live{display:inline-block;margin-right:14px}#live:empty{display:none}main#runs{margin-top:26px}
h1,h3,p,dd,li{overflow-wrap:anywhere}
h2{font-size:19px;margin:40px 0 14px;font-weight:650}
h3{font-size:15px;margin:0 0 4px;font-weight:600}
.about{margin:0 0 14px;color:var(--muted);max-width:70ch}
.reason{margin:0 0 14px;padding:10px 14px;border-left:3px solid var(--bad);background:var(--soft);border-radius:4px}
.status{display:inline-block;font-size:13px;font-weight:600;padding:3px 10px;border-radius:99px;vertical-align:middle;background:var(--soft);color:var(--muted)}
.status.ok{color:var(--good)}.status.failed,.status.stopped{color:var(--wrong)}.status.interrupted,.status.paused,.status.pruned,.status.killed,.status.damaged{color:var(--doubtful)}.status.running{color:var(--plain)}
.facts{display:flex;flex-wrap:wrap;gap:8px 28px;margin:0}
.facts div{min-width:0}.facts dt{color:var(--muted);font-size:12px}.facts dd{margin:0;font-variant-numeric:tabular-nums}
.scores{display:grid;grid-template-columns:repeat(auto-fit,minmax(300px,1fr));gap:16px}
.score,figure,.finding,.healthy{background:var(--card);border:1px solid var(--grid);border-radius:10px;padding:16px 18px;margin:0}
.score h3{color:var(--muted);font-weight:500}
.numbers{display:flex;align-items:baseline;gap:12px;margin:2px 0 12px;flex-wrap:wrap}
.numbers span b{font-size:26px;font-weight:650;font-variant-numeric:tabular-nums}
.numbers span small{color:var(--muted);margin-left:6px}
.numbers i{color:var(--muted);font-style:normal}
.numbers .delta{color:var(--muted);font-weight:600;margin-left:auto}.numbers .rise{color:var(--good)}.numbers .fall{color:var(--wrong)}
.bar{position:relative;height:8px;border-radius:99px;background:var(--soft);overflow:hidden}
.bar div{position:absolute;inset:0 auto 0 0;border-radius:99px}
.bar .more,.bar .less{background:var(--muted)}.bar.rise .more{background:var(--third)}.bar.fall .more{background:var(--bad)}
.healthy{border-left:3px solid var(--third)}.healthy+.finding{margin-top:12px}
.finding{border-left:3px solid var(--muted);margin-bottom:12px}
${SEVERITIES}
.headline{font-size:17px;line-height:1.5;margin:18px 0 14px;max-width:72ch}
td .bar{margin-top:6px;min-width:5em}td .code{margin-top:8px;padding:8px 12px;background:var(--soft);border:0;white-space:pre-wrap;overflow-wrap:anywhere}tr.first .bar .more{background:var(--first)}td>div{min-width:0}
.finding h3 small{color:var(--muted);font-weight:400}
.finding p{margin:4px 0}.finding .hint{color:var(--muted)}
.severity{font-size:12px;text-transform:uppercase;letter-spacing:.06em;color:var(--muted);margin-right:4px}
details{margin-top:6px}summary{cursor:pointer;color:var(--muted);font-size:13px}
.group{margin:26px 0 10px}.controls+.group{margin-top:10px}#findings .charts{max-width:640px;margin-top:14px}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,460px),1fr));gap:16px}
.charts.one{max-width:522px}
@media (min-width:990px){.charts{grid-auto-flow:dense}figure.tall{grid-row:span 2}}
figcaption{font-size:12.5px;line-height:1.45;color:var(--muted);min-height:3.9em}
figcaption b{display:block;color:var(--ink);font-size:14px}
figure svg{display:block;margin-top:6px;height:auto;max-width:100%;overflow:visible}
figure{position:relative}figure[tabindex]{touch-action:pan-y}
figure:focus-visible,.scroll:focus-visible,summary:focus-visible,button:focus-visible,input:focus-visible{outline:2px solid var(--first);outline-offset:2px}
.controls{display:flex;flex-wrap:wrap;align-items:center;gap:6px 20px;margin:0 0 14px;padding:8px 14px;background:var(--card);border:1px solid var(--grid);border-radius:10px;font-size:13.5px;position:sticky;top:0;z-index:2}
.controls[hidden]{display:none}.controls small{color:var(--muted);flex-basis:100%}.controls label{display:flex;align-items:center;gap:6px}
.controls #smoothing{color:var(--muted);min-width:12em}.controls #range{color:var(--muted);font-variant-numeric:tabular-nums}
.live{margin-top:6px;overflow-x:auto}.live svg{max-width:none}
.crosshair,.brush{position:absolute;pointer-events:none}.crosshair{width:1px;background:var(--muted)}.crosshair[hidden],.brush[hidden]{display:none}.brush{background:var(--first);opacity:.16}
#tip{position:fixed;z-index:3;pointer-events:none;background:var(--card);color:var(--ink);border:1px solid var(--grid);border-radius:8px;padding:7px 11px;font-size:12.5px;line-height:1.5;font-variant-numeric:tabular-nums;box-shadow:0 4px 14px rgba(0,0,0,.18);max-width:340px}
#tip[hidden]{display:none}#tip div{white-space:pre;overflow:hidden;text-overflow:ellipsis}
#sweep .charts{max-width:640px;margin-top:14px}
p.absent{margin:12px 0 0;color:var(--muted);font-size:13px}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--grid);border-radius:10px}
table{border-collapse:collapse;width:100%;font-size:13.5px}
th,td{text-align:left;padding:7px 14px;border-bottom:1px solid var(--grid);vertical-align:top}
tr:last-child td{border-bottom:0}
th{color:var(--muted);font-weight:500}
td.number{font-variant-numeric:tabular-nums;white-space:nowrap}td.words{white-space:normal}.number{text-align:right}th.group{color:var(--ink);font-weight:650;padding-top:16px}
td code{font:13px ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace;white-space:pre-wrap;overflow-wrap:anywhere}td>code{display:block;max-height:16em;overflow-y:auto}
tr.right td.said code{color:var(--good)}tr.wrong td.said code{color:var(--wrong)}
td.answer small{display:block;color:var(--muted)}td.answer.right code{color:var(--good)}td.answer.wrong code{color:var(--wrong)}
.named th:first-child,.named td:first-child{position:sticky;left:0;background:var(--card)}td.answer{min-width:7em}
.line{display:inline-block;margin-right:7px;vertical-align:middle}
.legend{display:flex;flex-wrap:wrap;gap:4px 20px;margin:0;padding:8px 14px;font-size:13.5px;background:var(--card);border:1px solid var(--grid);border-radius:10px}
.stay{margin-bottom:16px}.stay .controls{margin-bottom:6px;position:static}@media (min-width:521px){.stay{position:sticky;top:0;z-index:2}}
.cut{color:var(--wrong)}
.picture p{margin:5px 0 0;font-size:12.5px;line-height:1.4}.picture p.note{color:var(--muted)}.picture b{font-weight:600;white-space:nowrap}.picture .good,.pair .good{color:var(--good)}.picture .wrong,.pair .wrong{color:var(--wrong)}
.drawings{display:flex;flex-wrap:wrap;gap:4px}.picture svg{display:block;max-width:100%;height:auto;border-radius:4px;background:var(--soft)}.picture .box:hover{fill-opacity:.28}td>.picture{width:var(--side)}td:has(>.picture)~td:not(.number){min-width:8em}td:has(>.picture)~td.said{min-width:11em}@media (min-width:521px){.stacked:has(td>.picture) :is(th,td){padding:7px 9px}}
image.hard{image-rendering:pixelated}.legend.pictures{margin:0 0 12px}.legend.pictures .line{border-radius:2px}
.pairs{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr));gap:16px}.pair{background:var(--card);border:1px solid var(--grid);border-radius:10px;padding:12px 14px;break-inside:avoid}.pair h4{margin:0 0 8px;font-size:13.5px;font-weight:600;display:flex;justify-content:space-between;gap:12px;overflow-wrap:anywhere}.pair h4 span{font-weight:600;white-space:nowrap;font-variant-numeric:tabular-nums}
.pair.wide{grid-column:1/-1}@media (max-width:520px){.pair.wide .two{grid-template-columns:1fr}}.two{display:grid;grid-template-columns:1fr 1fr;gap:12px}.two>div{min-width:0}td.seen .two{width:calc(2*var(--side) + 12px)}td.seen>b{display:block;font-size:12.5px;margin-bottom:4px}td .good{color:var(--good)}td .wrong{color:var(--wrong)}td.answer .picture{margin-bottom:8px}.two small{display:block;color:var(--muted);margin-bottom:3px}
#sweep>.about{margin:12px 0}.below{margin-top:16px}
.code{background:var(--card);border:1px solid var(--grid);border-radius:10px;padding:14px 18px;overflow:auto;font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace;margin:0}
details .code{margin-top:8px;background:var(--soft);border:0}
footer{color:var(--muted);font-size:13px;padding-top:40px;padding-bottom:48px}
@media (max-width:520px){header,main,footer{padding-left:14px;padding-right:14px}.score,figure,.finding,.healthy{padding:13px 14px}th,td{padding:6px 10px}.finding td{padding:6px;overflow-wrap:anywhere}.finding td:nth-child(3){overflow-wrap:normal}.finding th{padding:6px}
.stacked thead{display:none}.stacked tr{display:block;padding:8px 12px;border-bottom:1px solid var(--grid)}.stacked td{display:grid;grid-template-columns:6.5em 1fr;border:0;padding:2px 0;overflow-wrap:anywhere}.stacked td.number{text-align:left;white-space:normal}.stacked td>small{grid-column:2}.stacked td::before{content:attr(data-name);color:var(--muted)}}
@media print{:root{${LIGHT_PAGE};--paper:#fff;color-scheme:light}body{font-size:13px}header,main,footer{max-width:none;padding:0}footer{padding-top:16px}
.controls,#tip,.crosshair,.brush,#live,button,p.absent{display:none!important}figure,.score,.finding,.healthy,tr{break-inside:avoid}h2,h3,figcaption,#step-title{break-after:avoid}
.charts{display:block}.charts figure{margin:0 0 14px;max-width:540px}figcaption{min-height:0}.scroll{overflow:visible}td>code{max-height:none}td.number{white-space:normal}.code{white-space:pre-wrap;overflow:visible}
*{print-color-adjust:exact}}
`;
