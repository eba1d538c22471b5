"""Writes the folders llama, qwen and gpt beside this file (small tokenizers in the style of those families, each with a chat template),
and goldens.json: ids and texts as Hugging Face's `tokenizers` gives them, and conversations as `transformers` renders them.

The folder own is written by test/agents/render/tokenizer/train-tokenizer.test.ts with our own trainer (it appears where it is missing); here it is
only read, which shows that `transformers` loads it.

Run with any Python 3.10 or newer that has tokenizers and transformers 5: python make-goldens.py
"""

import datetime
import json
import pathlib
import random

import transformers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import AutoTokenizer

here = pathlib.Path(__file__).parent
VOCABULARY = 600

CORPUS = """You are in the middle of a room. Looking quickly around you, you see a bed 1, a desk 2, a drawer 13, and a safe 1.
Your task is to: put a hot apple in the fridge. You open the cabinet 4. The cabinet 4 is open. In it, you see nothing.
I'll look for it; they're here, aren't they? We've got 12,345.67 items for $99.00 - don't say that I'm wrong, he'd know.
search[red cotton shirt size XL, price lower than 40.00 dollars]  click[Buy Now]\r\n\r\n\tThought: the result is B08XYZ1234.
def f(x):\n    return {"a": [1, 2, 3], "b": x ** 2}\n\nprint(f(10))   # done
Où est la bibliothèque ? Straße, naïve café, señor, Ærø, ça va. Привет, как дела? Καλημέρα κόσμε. שלום עולם مرحبا بالعالم
今天天气很好。日本語のテキスト。한국어 문장입니다. ไทย हिन्दी 👍 🎉 — “quoted” … ½ ² ③
""" * 3

GPT_SPLIT = None
QWEN_SPLIT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
LLAMA_SPLIT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def train(split, specials, more=(), normalizer=None):
    tokenizer = Tokenizer(models.BPE())
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    if split is None:
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    else:
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Split(Regex(split), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
        )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY - len(specials) - len(more), initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()), show_progress=False
    )
    tokenizer.train_from_iterator(CORPUS.split("\n"), trainer)
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in specials])
    tokenizer.add_tokens([AddedToken(text, special=False, normalized=False) for text in more])
    return tokenizer


LLAMA_TEMPLATE = """{{- bos_token }}
{%- if custom_date is defined %}
    {%- set date_string = custom_date %}
{%- elif strftime_now is defined %}
    {%- set date_string = strftime_now("%d %b %Y") %}
{%- else %}
    {%- set date_string = "26 Jul 2024" %}
{%- endif %}
{#- The system message may be left out. #}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content'] | trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\n" }}
{%- if tools is not none %}
    {{- "Environment: ipython\\n" }}
{%- endif %}
{{- "Today: " + date_string + "\\n\\n" }}
{{- system_message }}
{{- "<|eot_id|>" }}
{%- for message in messages %}
    {%- if message.role in ["user", "assistant"] %}
        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' + message['content'] | trim + '<|eot_id|>' }}
    {%- elif message.role == "tool" or message.role == "ipython" %}
        {{- "<|start_header_id|>ipython<|end_header_id|>\\n\\n" }}
        {%- if message.content is mapping or message.content is iterable and message.content is not string %}
            {{- message.content | tojson }}
        {%- else %}
            {{- message.content | tojson }}
        {%- endif %}
        {{- "<|eot_id|>" }}
    {%- else %}
        {{- raise_exception("unknown role " ~ message.role) }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
"""

QWEN_TEMPLATE = """{%- macro thought(text) %}<think>
{{ text | trim }}
</think>

{% endmacro -%}
{%- if messages[0].role != 'system' %}
    {{- '<|im_start|>system\\nYou are a helpful assistant.<|im_end|>\\n' }}
{%- endif %}
{%- set ns = namespace(multi_step=true, last_query=messages|length - 1, count=0) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.multi_step and message.role == "user" and message.content is string and not(message.content.startswith('<tool_response>') and message.content.endswith('</tool_response>')) %}
        {%- set ns.multi_step = false %}
        {%- set ns.last_query = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.content is string %}
        {%- set content = message.content %}
    {%- else %}
        {%- set content = '' %}
    {%- endif %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + content + '<|im_end|>' + '\\n' }}
    {%- elif message.role == "system" %}
        {{- '<|im_start|>system\\n' ~ content ~ '<|im_end|>\\n' }}
    {%- elif message.role == "assistant" %}
        {%- set reasoning = '' %}
        {%- if '</think>' in content %}
            {%- set reasoning = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}
            {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
        {%- endif %}
        {%- if loop.index0 > ns.last_query and (loop.last or reasoning) %}
            {{- '<|im_start|>' + message.role + '\\n' + thought(reasoning) + content.lstrip('\\n') }}
        {%- else %}
            {{- '<|im_start|>' + message.role + '\\n' + content }}
        {%- endif %}
        {{- '<|im_end|>\\n' }}
    {%- elif message.role == "tool" %}
        {%- set ns.count = ns.count + 1 %}
        {%- if loop.first or (messages[loop.index0 - 1].role != "tool") %}
            {{- '<|im_start|>user' }}
        {%- endif %}
        {{- '\\n<tool_response>\\n' }}
        {{- content }}
        {{- '\\n</tool_response>' }}
        {%- if loop.last or (messages[loop.index0 + 1].role != "tool") %}
            {{- '<|im_end|>\\n' }}
        {%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}
"""

GPT_TEMPLATE = """{% for message in messages if message['content'] %}
{% if not loop.first and loop.previtem['role'] == message['role'] %}
{{ raise_exception('Roles must alternate') }}
{% endif %}
{% generation %}{{ loop.index ~ '. ' ~ message['role'] | upper ~ ': ' ~ (message['content'] | replace('\\n', ' ')) ~ ('' if loop.last else eos_token) }}
{% endgeneration %}
{% else %}
{{ 'nothing was said' }}
{% endfor %}
{% for kind, messages in [['user', messages | selectattr('role', 'equalto', 'user') | list], ['tool', []]] %}
{{ kind }}={{ messages | length }}{{ ', ' if not loop.last }}
{% endfor %}
{% if add_generation_prompt %}
ASSISTANT:{% endif %}
"""


def user(text):
    return {"role": "user", "content": text}


def assistant(text):
    return {"role": "assistant", "content": text}


def system(text):
    return {"role": "system", "content": text}


def tool(text):
    return {"role": "tool", "content": text}


CONVERSATIONS = [
    [user("Hello")],
    [system("  Be brief.\n"), user(" What is 2 + 2?\n"), assistant("4")],
    [user("a\nb"), assistant("<think>\nlet me see\n</think>\n\nopen the door"), user("It is open."), assistant("<think>\nnow\n</think>\ngo in")],
    [user("Find it."), assistant("<think>I look</think>look"), tool('{"seen": ["é", "<b>&\'\\"", 3]}'), tool("second"), assistant("taken")],
    [system("Sys"), user("u1"), assistant("a1"), system("again"), user("u2 \"quoted\" \\ back"), assistant("")],
    [user("Ünïcode 👨‍👩‍👧 日本 \u2028 line"), assistant("ok\t"), user("")],
    [user("one"), user("two")],
    [tool("first of all")],
]


def random_text(dice):
    pools = ["abc XYZ ", " \n\t\r", "0123456789", ".,;:!?'\"<>|{}[]()", "éüñøßç", "привет", "日本語中文한국", "👍🏽👩‍💻🇨🇭", "\u0301\u0308\u200d\u200b\ufeff", "שלום مرحبا", "'s't're've'm'll'd"]
    return "".join(dice.choice(dice.choice(pools)) for _ in range(dice.randrange(1, 60)))


def awkward():
    dice = random.Random(5)
    fixed = [
        "", " ", "  ", "   ", "\n", "\n\n", "\r\n", "\r", "\t", " \n ", "\n \n", "\r\n\r\n  x", "x\r\n", "a  b", "a   b    c", " a", "a ", "  a  ", "\u00a0", "a\u00a0b", "\u3000全角", "\u2003em", "\u0085next", "\u2028\u2029", "\x0b\x0c", "\x1c\x1d\x1e\x1f",
        "\x00", "a\x00b", "\x00\x00\x00", "\x01\x02\x7f\x80\x9f", "\ufeff", "\ufeffstart", "mid\ufeffdle", "\ufffd", "\uffff", "\ue000", "\ud7ff", "\U00010000", "\U0010ffff", "\U0001f600", "a\U0001f600b",
        "👨‍👩‍👧‍👦", "👩🏽‍🚀 flies", "🇨🇭🇫🇷", "☺️ ☺", "1️⃣", "👍👍🏻👍🏿", "e\u0301", "é", "e\u0301\u0323", "a\u0308o\u0308u\u0308", "Å Å Å", "ﬁ ﬀ", "\u0301 alone", "क्षि", "ก็", "한글", "ㅎㅏㄴ", "Z͑ͫ̓ͪ̂ͫ̽a̴l̢g̡o",
        "שלום עולם", "مرحبا بالعالم", "\u202bRTL\u202c", "abc שלום def", "السلام عليكم ١٢٣", "今天天气很好。", "日本語のテキスト、です！", "한국어 문장입니다.", "中文English混合", "𠀀𠀁", "ไทยไม่มีวรรค", "हिन्दी", "தமிழ்",
        "1", "12", "123", "1234", "12345678901234567890", "3.14159", "1,000,000", "0x1F", "१२३", "½⅓", "Ⅷ", "²³", "x2y3", "v1.2.3-rc4",
        "I'm", "I'M", "don't", "DON'T", "we've they'll he'd she's you're", "'s", "''s", "'S'T", "o'clock", "rock 'n' roll", "it’s", "'", "'''", "l'été",
        "<|im_end|>", "<|im_start|>user\nhi<|im_end|>", "a<|im_end|>b", " <|im_end|> ", "<|im_end|><|im_end|>", "<|im_end", "|im_end|>", "<<|im_end|>>", "<|IM_END|>", "< |im_end|>", "<|eot_id|>", "<|begin_of_text|>x", "<|endoftext|>", "<|end|>", "<|user|>x<|end|><|assistant|>", "<think>a</think>", "<think>", "</think", "<tool_response>\n\n</tool_response>", "<|start_header_id|>a<|end_header_id|>", "<\u212a>", "<K>", "[UN\u212a]",
        "\u037e\u1fef\u212a\u212b\u2126", "ſ ſt", "ı İ i̇", "ǅ ǆ", "\u1e9e ß",
        "{\"a\": [1, 2, {\"b\": null}]}", "if (x) { return y; }", "https://example.com/a?b=c&d=%20#e", "a@b.co", "C:\\path\\to", "--flag=value", "<div class=\"x\">", "$100.00 €5 £3 ¥7", "#hash _under_ *star* ~tilde~", "....", "!!!???", "—–-", "a/b/c", "=====", "==== ====\n----", "\t\tindented", "    four", "line1\nline2\n\nline4\n", "trailing   \n   leading",
        "__proto__", "constructor", "toString", "hasOwnProperty", "null undefined NaN",
        "x" * 300, " " * 300, "\n" * 100, "ab" * 200, "é" * 150, "👍" * 80, "!" * 257, ("word " * 2000)[:10000], "日" * 500,
        "supercalifragilisticexpialidocious", "Pneumonoultramicroscopicsilicovolcanoconiosis", "aAbBcC", "camelCaseAndPascalCase", "snake_case_name", "SHOUTING", "ＦＵＬＬ　ｗｉｄｔｈ", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "ᏣᎳᎩ", "ꙮ", "\u0378", "\U000e0001",
    ]
    while len(fixed) < 200:
        text = random_text(dice)
        if text not in fixed:
            fixed.append(text)
    return fixed


def save(name, tokenizer, config, template):
    folder = here / name
    folder.mkdir(exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    (folder / "tokenizer_config.json").write_text(json.dumps({**config, "chat_template": template} if template else config, ensure_ascii=False, indent=1) + "\n")
    return folder


class Noon(datetime.datetime):
    """The clock of the templates."""

    @classmethod
    def now(cls, tz=None):
        return cls(2026, 3, 5, 12, 0, 0)


def rendered(folder):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    out = []
    for messages in CONVERSATIONS:
        for prompt in [False, True]:
            try:
                text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=prompt)
            except Exception as error:  # a template may refuse
                text = None
            out.append({"messages": [{"role": m["role"], "text": m["content"]} for m in messages], "addGenerationPrompt": prompt, "text": text})
    return out


def goldens_of(folder, strings):
    """Ids, texts and conversations of a tokenizer's folder."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    loaded = AutoTokenizer.from_pretrained(folder)
    ids = [tokenizer.encode(text, add_special_tokens=False).ids for text in strings]
    assert ids == [loaded(text, add_special_tokens=False)["input_ids"] for text in strings]
    dice = random.Random(7)
    rows = [[dice.randrange(tokenizer.get_vocab_size()) for _ in range(dice.randrange(1, 20))] for _ in range(50)]
    return {
        "size": tokenizer.get_vocab_size(),
        "ids": ids,
        "decoded": [tokenizer.decode(row, skip_special_tokens=False) for row in ids],
        "conversations": rendered(folder),
        "random": [{"ids": row, "text": tokenizer.decode(row, skip_special_tokens=False)} for row in rows],
    }


def main():
    transformers.utils.chat_template_utils.datetime = Noon
    llama = train(LLAMA_SPLIT, ["<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"])
    llama.model.ignore_merges = True
    llama.post_processor = processors.Sequence(
        [processors.ByteLevel(trim_offsets=False), processors.TemplateProcessing(single="<|begin_of_text|> $A", special_tokens=[("<|begin_of_text|>", llama.token_to_id("<|begin_of_text|>"))])]
    )
    qwen = train(QWEN_SPLIT, ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<K>"], ["<think>", "</think>", "<tool_response>", "</tool_response>"], normalizers.NFC())
    gpt = train(GPT_SPLIT, ["<|endoftext|>"])
    folders = [
        save("llama", llama, {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<|begin_of_text|>", "eos_token": "<|eot_id|>", "clean_up_tokenization_spaces": True}, LLAMA_TEMPLATE),
        save("qwen", qwen, {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|im_end|>", "pad_token": "<|endoftext|>", "clean_up_tokenization_spaces": False}, None),
        save("gpt", gpt, {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>", "unk_token": "<|endoftext|>"}, None),
    ]
    (here / "llama" / "generation_config.json").write_text(json.dumps({"eos_token_id": [llama.token_to_id("<|end_of_text|>"), llama.token_to_id("<|eot_id|>")]}) + "\n")
    (here / "qwen" / "chat_template.jinja").write_text(QWEN_TEMPLATE)
    config = json.loads((here / "gpt" / "tokenizer_config.json").read_text())
    config["chat_template"] = [{"name": "tool_use", "template": "none"}, {"name": "default", "template": GPT_TEMPLATE}]
    (here / "gpt" / "tokenizer_config.json").write_text(json.dumps(config, indent=1) + "\n")
    if (here / "own" / "tokenizer.json").exists():
        folders.append(here / "own")
    strings = awkward()
    assert len(strings) == 200, len(strings)
    tokenizers = {folder.name: goldens_of(folder, strings) for folder in folders}
    goldens = {"strings": strings, "tokenizers": tokenizers}
    (here / "goldens.json").write_text(json.dumps(goldens, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
