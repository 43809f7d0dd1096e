"""Chat templates of our own in the manner of each family, and what transformers makes of them: text, ids, masks.

  chat_templates.py TOKENIZER.json OUT.json
"""
import json
import sys

import transformers
from transformers import PreTrainedTokenizerFast

CHATML = """{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- if messages[0].role == 'system' %}{{- messages[0].content + '\\n\\n' }}{%- endif %}
    {{- "Functions:\\n<tools>" }}
    {%- for tool in tools %}
        {{- "\\n" }}{{- tool | tojson }}
    {%- endfor %}
    {{- "\\n</tools><|im_end|>\\n" }}
{%- elif messages[0].role == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- set ns = namespace(multi_step=true, last=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.multi_step and message.role == "user" and not (message.content.startswith('<tool_response>') and message.content.endswith('</tool_response>')) %}
        {%- set ns.multi_step = false %}{%- set ns.last = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
    {%- elif message.role == "assistant" %}
        {%- set content = message.content %}{%- set reasoning = '' %}
        {%- if message.reasoning_content is defined and message.reasoning_content is not none %}
            {%- set reasoning = message.reasoning_content %}
        {%- elif '</think>' in content %}
            {%- set reasoning = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}
            {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
        {%- endif %}
        {{- '<|im_start|>' + message.role + '\\n' }}
        {%- generation %}
        {%- if loop.index0 > ns.last and (loop.last or reasoning) %}
            {{- '<think>\\n' + reasoning.strip('\\n') + '\\n</think>\\n\\n' + content.lstrip('\\n') }}
        {%- else %}{{- content }}{%- endif %}
        {%- if message.tool_calls %}
            {%- for call in message.tool_calls %}
                {%- if (loop.first and content) or (not loop.first) %}{{- '\\n' }}{%- endif %}
                {%- if call.function %}{%- set call = call.function %}{%- endif %}
                {{- '<tool_call>\\n{"name": "' + call.name + '", "arguments": ' }}
                {%- if call.arguments is string %}{{- call.arguments }}{%- else %}{{- call.arguments | tojson }}{%- endif %}
                {{- '}\\n</tool_call>' }}
            {%- endfor %}
        {%- endif %}
        {{- '<|im_end|>\\n' }}
        {%- endgeneration %}
    {%- elif message.role == "tool" %}
        {%- if loop.first or (messages[loop.index0 - 1].role != "tool") %}{{- '<|im_start|>user' }}{%- endif %}
        {{- '\\n<tool_response>\\n' }}{{- message.content }}{{- '\\n</tool_response>' }}
        {%- if loop.last or (messages[loop.index0 + 1].role != "tool") %}{{- '<|im_end|>\\n' }}{%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}
{%- endif %}"""

LLAMA2 = """{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}{% set system_message = messages[0]['content'] %}{% else %}{% set loop_messages = messages %}{% set system_message = false %}{% endif %}{% for message in loop_messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must take turns: user, assistant, user, …') }}{% endif %}{% if loop.index0 == 0 and system_message != false %}{% set content = '<<SYS>>\\n' + system_message + '\\n<</SYS>>\\n\\n' + message['content'] %}{% else %}{% set content = message['content'] %}{% endif %}{% if message['role'] == 'user' %}{{ bos_token + '[INST] ' + content.strip() + ' [/INST]' }}{% elif message['role'] == 'assistant' %}{{ ' ' + content.strip() + ' ' + eos_token }}{% endif %}{% endfor %}"""

LLAMA3 = """{{- bos_token }}
{%- if custom_tools is defined %}{%- set tools = custom_tools %}{%- endif %}
{%- if not date_string is defined %}
    {%- if strftime_now is defined %}{%- set date_string = strftime_now("%Y") %}{%- else %}{%- set date_string = "26 Jul 2024" %}{%- endif %}
{%- endif %}
{%- if not tools is defined %}{%- set tools = none %}{%- endif %}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content']|trim %}{%- set messages = messages[1:] %}
{%- else %}{%- set system_message = "" %}{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\n" }}
{%- if tools is not none %}{{- "Environment: ipython\\n" }}{%- endif %}
{{- "Today: " + date_string + "\\n\\n" }}
{%- if tools is not none %}
    {%- for t in tools %}{{- t | tojson(indent=4) }}{{- "\\n\\n" }}{%- endfor %}
{%- endif %}
{{- system_message }}{{- "<|eot_id|>" }}
{%- for message in messages %}
    {%- if not (message.role == 'ipython' or message.role == 'tool' or 'tool_calls' in message) %}
        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'+ message['content'] | trim + '<|eot_id|>' }}
    {%- elif 'tool_calls' in message %}
        {%- if not message.tool_calls|length == 1 %}{{- raise_exception("One call at a time!") }}{%- endif %}
        {%- set tool_call = message.tool_calls[0].function %}
        {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' -}}
        {{- '{"name": "' + tool_call.name + '", ' }}{{- '"parameters": ' }}{{- tool_call.arguments | tojson }}{{- "}" }}{{- "<|eot_id|>" }}
    {%- else %}
        {{- "<|start_header_id|>ipython<|end_header_id|>\\n\\n" }}
        {%- if message.content is mapping or message.content is iterable and message.content is not string %}{{- message.content | tojson }}{%- else %}{{- message.content }}{%- endif %}
        {{- "<|eot_id|>" }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{%- endif %}
"""

GEMMA = """{{ bos_token }}
{%- if messages[0]['role'] == 'system' -%}
    {%- if messages[0]['content'] is string -%}{%- set first_user_prefix = messages[0]['content'] + '\\n\\n' -%}
    {%- else -%}{%- set first_user_prefix = messages[0]['content'][0]['text'] + '\\n\\n' -%}{%- endif -%}
    {%- set loop_messages = messages[1:] -%}
{%- else -%}{%- set first_user_prefix = "" -%}{%- set loop_messages = messages -%}{%- endif -%}
{%- for message in loop_messages -%}
    {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) -%}{{ raise_exception("Roles take turns") }}{%- endif -%}
    {%- if (message['role'] == 'assistant') -%}{%- set role = "model" -%}{%- else -%}{%- set role = message['role'] -%}{%- endif -%}
    {{ '<start_of_turn>' + role + '\\n' + (first_user_prefix if loop.first else "") }}
    {%- if message['content'] is string -%}{{ message['content'] | trim }}
    {%- elif message['content'] is iterable -%}
        {%- for item in message['content'] -%}{%- if item['type'] == 'text' -%}{{ item['text'] | trim }}{%- endif -%}{%- endfor -%}
    {%- else -%}{{ raise_exception("Invalid content") }}{%- endif -%}
    {{ '<end_of_turn>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{'<start_of_turn>model\\n'}}{%- endif -%}
"""

PHI = "{% for message in messages %}{% if message['role'] == 'system' and 'tools' in message and message['tools'] is not none %}{{ '<|' + message['role'] + '|>' + message['content'] + '<|tool|>' + message['tools'] + '<|/tool|>' + '<|end|>' }}{% else %}{{ '<|' + message['role'] + '|>' + message['content'] + '<|end|>' }}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% else %}{{ eos_token }}{% endif %}"

OLMO = """{{ bos_token }}{% for message in messages %}
{% if message['role'] == 'system' %}
<|system|>
{{ message['content'] }}
{% elif message['role'] == 'user' %}
<|user|>
{{ message['content'] }}
{% elif message['role'] == 'assistant' %}
<|assistant|>
{% generation %}
{{ message['content'] }}{% if not loop.last %}{{ eos_token }}
{% endif %}
{% endgeneration %}
{% endif %}
{% if loop.last and add_generation_prompt %}
<|assistant|>
{% endif %}
{% endfor %}
"""

GRANITE = """{%- macro shown(value, depth=0) -%}
    {%- if value is mapping -%}
        {%- for key, item in value.items() | list -%}{{ depth ~ key }}={{ shown(item, depth + 1) }};{%- endfor -%}
    {%- else -%}{{ value }}{%- endif -%}
{%- endmacro -%}
{%- if messages[0]['role'] == 'system' %}{%- set system_message = messages[0]['content'] %}{%- set loop_messages = messages[1:] %}
{%- else %}{%- set system_message = "Knowledge ends: April 2024." %}{%- if tools and documents %}{%- set system_message = system_message + " Both." %}{%- elif thinking %}{%- set system_message = system_message + " Think." %}{%- endif %}{%- set loop_messages = messages %}{%- endif %}
{{- '<|start_of_role|>system<|end_of_role|>' + system_message + '<|end_of_text|>\\n' }}
{%- if tools %}{{- '<|start_of_role|>tools<|end_of_role|>' }}{{- tools | tojson(indent=2, ensure_ascii=true) }}{{- '<|end_of_text|>\\n' }}
{{- shown(tools[0]) }}{%- endif %}
{%- for message in loop_messages %}
    {%- if message.content is none %}{% continue %}{%- endif %}
    {%- if message.role == 'stop' %}{% break %}{%- endif %}
    {{- '<|start_of_role|>' + message['role'] + '<|end_of_role|>' + message['content'] | replace("  ", " ") + '<|end_of_text|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start_of_role|>assistant' }}{%- if controls %}{{- ' ' + controls | tojson }}{%- endif %}{{- '<|end_of_role|>' }}{%- endif %}"""

METHODS = """{%- for m in messages -%}
{{ loop.index }}/{{ loop.length }} {{ m.role.upper() }} {{ m.get('name', 'nobody') }} {{ m.content | title }} {{ m.content.split() | join('|') }} {{ m.content | length }} {{ m.content[1:3] }} {{ m.content[::-1] }}
{% if not loop.last %}{{ loop.nextitem.role if loop.nextitem is defined else '' }}{% endif %}
{{ messages | map(attribute='role') | list | unique | join(',') if false else messages | map(attribute='role') | join(',') }} {{ messages | selectattr('role', 'equalto', 'user') | list | length }} {{ 7 // 2 }} {{ 7 % 3 }} {{ 'a' ~ 1 }} {{ 'x' in m.content }} {{ m.content is string }} {{ none }} {{ true }} {{ 1.0 }} {{ [1, 'b'] }} {{ {'k': 1} | tojson }} {{ 'é"<' | tojson }} {{ m.content | default('d') | capitalize }} {{ [3,1,2] | sort | first }} {{ "%s-%s" | format(1, 2) if false else '' }}
{% endfor -%}"""

TEMPLATES = {"chatml": CHATML, "llama2": LLAMA2, "llama3": LLAMA3, "gemma": GEMMA, "phi": PHI, "olmo": OLMO, "granite": GRANITE, "methods": METHODS}

SYSTEM = {"role": "system", "content": "Be brief, ünd \"exact\"."}
USER = {"role": "user", "content": "  What is 2 + 2? "}
ANSWER = {"role": "assistant", "content": "It is 4.\n"}
THINKS = {"role": "assistant", "content": "<think>\nAdd them.\n</think>\n\n4"}
REASONS = {"role": "assistant", "content": "4", "reasoning": "Count."}
CALL = {"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": {"name": "add", "arguments": {"a": 2, "b": [1, None, True, 0.5, "é"]}}}]}
TOOL = {"role": "tool", "content": "{\"sum\": 4}", "name": "add"}
TOOLS = [{"type": "function", "function": {"name": "add", "description": "Adds <two> numbers & more: é", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {}}}, "required": ["a"]}}}]

CONVERSATIONS = {
    "one": [USER], "system": [SYSTEM, USER], "turns": [USER, ANSWER, USER], "whole": [SYSTEM, USER, ANSWER, USER, THINKS],
    "reasons": [USER, REASONS], "calls": [USER, CALL, TOOL], "parts": [{"role": "user", "content": [{"type": "text", "text": " a "}, {"type": "text", "text": "b"}]}],
    "stops": [USER, ANSWER, {"role": "stop", "content": "x"}, USER],
}
VARIATIONS = [
    {}, {"add_generation_prompt": True}, {"add_generation_prompt": True, "enable_thinking": False, "thinking": True, "date_string": "1 May 2030"},
    {"tools": TOOLS}, {"continue_final_message": True},
]


def main():
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=sys.argv[1], bos_token="<|endoftext|>", eos_token="<|im_end|>")
    cases = []
    for name, template in TEMPLATES.items():
        for conversation, messages in CONVERSATIONS.items():
            for options in VARIATIONS:
                if conversation == "parts" and (name not in ("gemma", "olmo") or options.get("continue_final_message")):
                    continue  # lists of parts are for templates that read them
                case = {"template": name, "conversation": conversation, "options": options}
                try:
                    case["text"] = tokenizer.apply_chat_template(messages, chat_template=template, tokenize=False, **options)
                except Exception as error:
                    if options not in ({}, {"continue_final_message": True}):
                        continue
                    case["error"] = type(error).__name__
                    cases.append(case)
                    continue
                if "generation" in template.replace("add_generation_prompt", "") and not options.get("continue_final_message"):
                    found = tokenizer.apply_chat_template(messages, chat_template=template, return_assistant_tokens_mask=True, return_dict=True, **options)
                    case["ids"], case["mask"] = found["input_ids"], found["assistant_masks"]
                cases.append(case)
    json.dump({"source": f"transformers {transformers.__version__}, tests/peers/chat_templates.py", "templates": TEMPLATES, "conversations": CONVERSATIONS, "cases": cases},
              open(sys.argv[2], "w"), ensure_ascii=True, separators=(",", ":"))


main()
