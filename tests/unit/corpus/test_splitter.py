"""Sentence splitting, case by case: `|` marks the boundaries, which stand where a space (or nothing) did."""

from __future__ import annotations

import pytest

from dragoman._core import SentenceSplitter, testing
from dragoman.errors import ConfigError

SPACED = {
    "en": [
        "Hello world.|How are you?|Fine!",
        "Mr. Smith met Dr. Jones.|They talked.",
        "He lives in St. Louis with Mrs. Brown.|She works.",
        "J. R. R. Tolkien wrote it.|It sold well.",
        "John F. Kennedy was president.|He was shot.",
        "The U.S. Army came.|It left.",
        "He moved to the U.S. He liked it.".replace(" He liked", "|He liked"),
        "It begins at 5 p.m. on Monday.|Bring a pen.",
        "We left at 5 p.m. The train was late.".replace(" The", "|The"),
        "Apples, pears, etc. are fruit.|Carrots are not.",
        "We sell apples, pears, etc.|Prices vary.",
        "See No. 5 and pp. 12-14 of vol. 3.|It helps.",
        "He said no.|Nobody cared.",
        "It costs 3.50 dollars.|That is cheap.",
        "Version 2.0.1 is out.|Get it.",
        "He was born in 1999.|She was born in 2001.",
        "It was 20.|Then it was 30.",
        "Visit www.example.com. It is free.".replace(" It", "|It"),
        "Mail me at a.b@example.org.|I will answer.",
        "Open file.txt and run setup.py.|Wait.",
        'She said "Stop!" and left.|He stayed.',
        'She said: "I came. I saw." Then she left.'.replace(". I saw", ".|I saw").replace(" Then", "|Then"),
        "“Really?” he asked.|“Yes.”|She nodded.",
        "(He laughed.)|She did not.",
        "This works (see Fig. 3).|Good.",
        "What?!|No way!!!|Really...|Yes.",
        "Wait... what is that?|A bird.",
        "He paused… and went on.|Then he stopped.",
        "Well … Maybe.".replace(" Maybe", "|Maybe"),
        "1. First do this.|2. Then do that.",
        "a. Cut the bread.|b. Eat it.",
        "II. The second part.|III. The third.",
        "- Are you there?|- Yes, I am.",
        "– Who is it?|– It is me.",
        "He bought an iPhone.|iPhone users like it.",
        "i am here. where are you? i cannot see you.".replace(". where", ".|where").replace("? i", "?|i"),
        "Apple Inc. announced it.|Shares rose.",
        "Toys Co. Ltd. makes toys.|They are good.",
        "Gen. Lee met Col. Grant on Jan. 5.|They shook hands.",
        "Use e.g. a hammer, i.e. a tool.|Be careful.",
        "He got an A.|She got a B.".replace("A.|She", "A.|She"),
        "This is Plan B.|It may work.",
        "(!) is a mark.|So is (?).",
        "He was (believe it or not!) right.|She was wrong.",
        "The temperature was -5 °C.|It snowed.",
        "Sentence with a note.[12]|Next sentence.",
        "Use <b>bold.</b> It helps.".replace(" It", "|It"),
        'Click <a href="x. Y">here</a>.|Done.',
        "Hello {name. First}, welcome.|Sit down.",
        "Hello world .|How are you ?|Fine .",
        "He asked why? She did not know.".replace("? She", "?|She"),
        "One.|“Two.”|(Three.)|[Four.]",
    ],
    "fr": [
        "M. Dupont est arrivé.|Il est reparti.",
        "Mme Durand a vu le Dr. Martin.|Elle va bien.",
        "Qu’est-ce que c’est ?|Je ne sais pas !",
        "« Bonjour. » Il sourit.".replace(" Il", "|Il"),
        "« Vraiment ? » demanda-t-il.|Elle acquiesça.",
        "Voir p. 5 et art. 3.|C'est clair.",
        "Des pommes, des poires, etc.|Les prix varient.",
        "Il est né en 70 av. J.-C. à Rome.|Il y est mort.",
        "– Comment ?|– Je ne sais pas.",
        "Il coûte 3,50 euros.|L'autre est gratuit.",
        "Il a dit : « Je viens. »|Puis il partit.",
    ],
    "de": [
        "Am 27. Oktober kam er.|Es regnete.",
        "Im 20. Jahrhundert war es anders.|Heute nicht.",
        "Das ist z. B. am 3. Mai so.|Sonst nicht.",
        "Das gilt z.B. für Hunde, Katzen usw.|Der Rest folgt.",
        "Herr Dr. Müller wohnt in der Hauptstr. 5.|Er ist alt.",
        "Es war im Jahr 2009.|Peter kam.",
        "„Komm her!“, sagte er.|Sie kam.",
        "„Komm her.“|Sie kam.",
        "Siehe Nr. 5, Abs. 2 und S. 17.|Das reicht.",
        "Kaiser Wilhelm II. von Preußen kam.|Er ging.",
        "Es waren 20.|Das reichte nicht.",
        "Wir, d. h. Sie und ich, gehen.|Gut.",
    ],
    "cs": [
        "Dne 27. října přišel.|Pršelo.",
        "Pan Ing. Novák, tzv. šéf, odešel.|Vrátí se.",
        "Viz str. 5 a čl. 3 odst. 2.|To stačí.",
        "Jablka, hrušky atd.|Ceny se liší.",
        "Bylo to v roce 2009.|Poté odešel.",
        "Karel IV. byl císař.|Vládl dlouho.",
        "Byl to vlk.|Utekl.",
        "„Pojď sem.“|Přišla.",
        "„Kdo je to?“ zeptal se.|Nikdo neodpověděl.",
        "Firma Alfa s.r.o. končí.|Je to škoda.",
        "Přišel 3. 5. 2010 ráno.|Odešel večer.",
    ],
    "es": ["El Sr. López vive en EE.UU. desde 1990.|Es feliz.", "¿Qué es eso?|¡Nada!|Vale."],
    "it": ["Il sig. Rossi è qui.|Ha fame.", "L'art. 5 è chiaro.|Il resto no."],
    "el": ["Τι είναι αυτό;|Τίποτα.", "Ο κ. Παππάς ήρθε.|Έφυγε."],
    "ru": ["Это г. Москва.|Он живёт там.", "Книги, журналы и т. д. стоят там.|Они старые."],
    "pl": ["To jest np. pies.|On szczeka.", "Urodził się 5 maja 1990 r. w Krakowie.|Tam mieszka."],
    "": [
        "Dr. Smith came.|He left.",
        "यह पहला वाक्य है।|यह दूसरा है॥",
        "هل أنت هنا؟|نعم.|أنا هنا.",
        "یہ پہلا ہے۔|یہ دوسرا ہے۔",
        "Սա առաջինն է։|Սա երկրորդն է։",
        "ይህ ነው።|ያ ነው።",
        "Yes; No.|Maybe.",
        "שלום.|מה שלומך?",
    ],
}

UNSPACED = {
    "zh": [
        "他来了。|她走了！|真的吗？",
        "他说：“我来了。”|大家很高兴。",
        "世界！|“好吗？”|他说。",
        "价格是3.5元。|很便宜。",
    ],
    "ja": [
        "「こんにちは。」と彼は言った。|彼女は笑った。",
        "本当ですか？！|はい。",
        "彼は来た（遅れて。）|彼女は帰った。",
    ],
}

CASES = [(language, case, " ") for language, cases in SPACED.items() for case in cases] + [
    (language, case, "") for language, cases in UNSPACED.items() for case in cases
]


@pytest.mark.parametrize(("language", "case", "between"), CASES, ids=[case for _, case, _ in CASES])
def test_cases(language: str, case: str, between: str) -> None:
    sentences = case.split("|")
    assert SentenceSplitter(language).split([between.join(sentences)]) == [sentences]


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 80


@pytest.mark.parametrize(
    ("newlines", "expected"),
    [
        ("end", ["A heading", "First line", "goes on.", "Second.", "Third"]),
        ("blank", ["A heading", "First line\ngoes on.", "Second.", "Third"]),
        ("space", ["A heading\n\nFirst line\ngoes on.", "Second.", "Third"]),
    ],
)
def test_newlines(newlines: str, expected: list[str]) -> None:
    text = "A heading\n\nFirst line\ngoes on. Second.\n \nThird\n"
    assert SentenceSplitter("en", newlines).split([text, text.replace("\n", "\r\n")]) == [
        expected,
        [sentence.replace("\n", "\r\n") for sentence in expected],
    ]


def test_nothing_gives_nothing() -> None:
    assert SentenceSplitter().split(["", "  \n\t ", "."]) == [[], [], ["."]]
    assert SentenceSplitter().split([]) == []


def test_protected_spans_stay_whole() -> None:
    text = "Say X. Y today. Then go."
    splitter = SentenceSplitter("en")
    begin = text.index("X")
    assert testing.sentence_spans(splitter, text.encode(), [(begin, begin + 4)]) == [(0, 15), (16, 24)]
    marked = "Run ⟦a. B! C?⟧ now. Go."
    raw = marked.encode()
    span = (raw.index("⟦".encode()), raw.index(b" now"))
    assert [raw[b:e].decode() for b, e in testing.sentence_spans(splitter, raw, [span])] == [
        "Run ⟦a. B! C?⟧ now.",
        "Go.",
    ]


def test_byte_spans() -> None:
    raw = "  Été.  À bientôt !  ".encode()
    assert [raw[begin:end].decode() for begin, end in testing.sentence_spans(SentenceSplitter("fr"), raw)] == [
        "Été.",
        "À bientôt !",
    ]


def test_wrong_options() -> None:
    with pytest.raises(ConfigError, match="end, blank or space"):
        SentenceSplitter("en", "sometimes")
    with pytest.raises(ConfigError, match="in order"):
        testing.sentence_spans(SentenceSplitter("en"), b"abc", [(2, 3), (0, 1)])


def test_a_region_is_its_language() -> None:
    text = "Am 27. Oktober kam er."
    assert SentenceSplitter("de-AT").split([text]) == SentenceSplitter("de").split([text]) == [[text]]
