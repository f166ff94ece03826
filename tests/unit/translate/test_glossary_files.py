"""Files of terms as people have them: what is read, and that nothing that was meant otherwise does nothing."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman import InputError, Translator
from dragoman.cli.main import run
from dragoman.glossary import Glossary
from dragoman.glossary_files import read_terms, text_terms
from tests.unit.translate.support import make_model

LANGUAGES = ("fr", "en")
HOUSE = [("maison", ("Mansion",)), ("chat noir", ("panther", "black cat"))]

TBX_2 = """<?xml version="1.0"?>
<!DOCTYPE martif SYSTEM "TBXBasiccoreStructV02.dtd">
<martif type="TBX-Basic" xml:lang="en"><text><body>
<termEntry id="c1"><langSet xml:lang="en-GB"><tig><term>Mansion</term></tig></langSet>
<langSet xml:lang="fr"><tig><term>maison</term></tig></langSet></termEntry>
<termEntry id="c2">
<langSet xml:lang="fr"><ntig><termGrp><term>chat <hi>noir</hi></term></termGrp></ntig></langSet>
<langSet xml:lang="en"><tig><term>panther</term></tig><tig><term>black cat</term></tig>
<tig><term>moggy</term><termNote type="administrativeStatus">deprecatedTerm-admn-sts</termNote></tig></langSet>
<langSet xml:lang="de"><tig><term>Panther</term></tig></langSet></termEntry>
<termEntry id="c3"><langSet xml:lang="fr"><tig><term>voiture</term></tig></langSet></termEntry>
</body></text></martif>
"""
TBX_3 = """<tbx style="dca" type="TBX-Core" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2"><text><body>
<conceptEntry id="c1"><langSec xml:lang="fr"><termSec><term>maison</term></termSec></langSec>
<langSec xml:lang="en"><termSec><term>Mansion</term></termSec></langSec></conceptEntry>
<conceptEntry id="c2"><langSec xml:lang="fr"><termSec><term>chat noir</term></termSec></langSec>
<langSec xml:lang="en"><termSec><term>panther</term></termSec><termSec><term>black cat</term></termSec>
</langSec></conceptEntry></body></text></tbx>
"""


@pytest.mark.parametrize(
    ("name", "text", "terms"),
    [
        ("a.tsv", "# terms\nmaison\tMansion\n\nchat noir\tpanther\tblack cat\n", HOUSE),
        ("a.tsv", "source\ttarget\nmaison\tMansion\nchat noir\tpanther\n", [HOUSE[0], ("chat noir", ("panther",))]),
        ("a.txt", "en\tfr\r\nMansion\tmaison\r\n", HOUSE[:1]),
        ("a.tsv", "Lyon\nchat noir\n", [("Lyon", ()), ("chat noir", ())]),
        ("a.tsv", "Paris, France\t\nmaison\tMansion\n", [("Paris, France", ()), HOUSE[0]]),
        ("a.csv", "maison,Mansion\n", HOUSE[:1]),
        ("a.csv", 'maison,Mansion\n"Lyon, Rhône","Lyon, ""city"""\n', [HOUSE[0], ("Lyon, Rhône", ('Lyon, "city"',))]),
        ("a.csv", "maison;Mansion\nun, deux;one, two\n", [HOUSE[0], ("un, deux", ("one, two",))]),
        ("a.csv", "maison\tMansion\n", HOUSE[:1]),
        ("a.csv", "sep=;\r\nmaison;Mansion\r\n", HOUSE[:1]),
        ("a.csv", "# terms\nmaison|Mansion\nLyon\n", [HOUSE[0], ("Lyon", ())]),
        ("a.csv", "\ufeffnote,en,fr\nx,Mansion,maison\n", HOUSE[:1]),
        ("a.csv", "term,translation,translation\nmaison,Mansion,\nchat noir,panther,black cat\n", HOUSE),
        ("a.csv", "maison,Mansion,FR,EN\nhaus,house,DE,EN\n", HOUSE[:1]),
        ("a.csv", "note,id,fr,en\nx,7,maison,Mansion\n", HOUSE[:1]),
        ("a.csv", 'maison,"Man\nsion"\n', [("maison", ("Man sion",))]),
        ("terms", "maison;Mansion\nvoiture;car\n", [HOUSE[0], ("voiture", ("car",))]),
        ("a.tsv", "maison,Mansion\nvoiture,car\n", [HOUSE[0], ("voiture", ("car",))]),
        ("a.tbx", TBX_2, HOUSE),
        ("a.tbx", TBX_3, HOUSE),
        ("a.xml", TBX_2, HOUSE),
        ("a.tsv", "", []),
    ],
)
def test_what_is_read(name: str, text: str, terms: list[tuple[str, tuple[str, ...]]], tmp_path: Path) -> None:
    path = tmp_path / name
    for encoding in ("utf-8", "utf-16") if not text.startswith("<") else ("utf-8",):
        path.write_bytes(text.encode(encoding))
        found = read_terms(str(path), LANGUAGES)
        assert [(term.source, term.targets) for term in found] == terms
        assert Glossary.read(path, LANGUAGES).text.count("\n") == len(terms)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.tsv", "maison\tMansion\nchat,cat\n", "line 2: there is no tab between a term and its translation"),
        ("a.tsv", "Lyon\nParis\nchat = cat\n", "line 3: there is no tab"),
        ("a.tsv", "Lyon\nParis\nchat -> cat\n", "line 3: there is no tab"),
        ("a.tsv", "Lyon\nParis\nchat    cat\n", "line 3: there is no tab"),
        ("a.tsv", "Lyon\nParis\nBrest\nchat: le chat, cat\n", "line 4: there is no tab"),
        ("a.tsv", "maison\tMansion\n\tcat\n", "line 2: the translation 'cat' has no term"),
        ("a.csv", "maison,Mansion\n,cat\n", "line 2: the translation 'cat' has no term"),
        ("a.csv", "maison,Mansion\nun, deux,one, two\n", "line 2: has 4 cells"),
        ("a.csv", "maison,Mansion,noun\n", "line 1: has 3 cells"),
        ("a.csv", 'maison,"Mansion\nvoiture,car\n', "line 1: a cell that begins with a quote"),
        ("a.csv", 'maison,Mansion\nvoiture,"c"ar\n', "line 2: a cell that begins with a quote"),
        ("a.csv", "maison,Mansion\nchat;cat\n", "line 2: there is no comma"),
        ("a.tsv", "a\0b\tc\n", "NUL"),
        ("a.tbx", TBX_2.replace('"fr"', '"sv"'), "no terms in both fr and en; it has de, en, en-GB, sv"),
        ("a.tbx", "<martif/>", "holds no terms"),
        ("a.tbx", "maison\tMansion\n", "not well-formed XML"),
        ("a.tbx", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "entities of its own"),
    ],
)
def test_what_cannot_be_meant(name: str, text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=says) as refused:
        Glossary.read(tmp_path / name, LANGUAGES)
    assert name in str(refused.value)


CELL = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), min_size=1, max_size=8)


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=8), st.sampled_from([",", ";", "\t", "|"]), st.booleans())
def test_whatever_a_spreadsheet_writes_comes_back(
    pairs: list[tuple[str, str]], delimiter: str, quote_all: bool
) -> None:
    """In each dialect, under a first row that names the columns."""
    written = io.StringIO()
    quoting = csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    csv.writer(written, delimiter=delimiter, quoting=quoting).writerows([("source", "target"), *pairs])
    found = text_terms("a.csv", written.getvalue(), LANGUAGES, is_csv=True)
    kept = [pair for pair in pairs if not pair[0].startswith("#") or quote_all]
    assert [(term.source, *term.targets) for term in found] == kept


@given(st.text(alphabet='ab,;|\t"\n#=- é', max_size=60), st.booleans())
def test_any_text_gives_terms_or_a_sentence(text: str, is_csv: bool) -> None:
    try:
        for term in text_terms("a", text, LANGUAGES, is_csv):
            assert term.source.strip() and all(term.targets)
            assert 1 <= term.line <= text.count("\n") + 1
    except InputError as error:
        assert str(error).startswith("a") and "\n" not in str(error)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("terms") / "fr-en.model")


@pytest.mark.parametrize(
    ("name", "text"), [("a.csv", "maison,Mansion\n"), ("a.tbx", TBX_2), ("a.tsv", "maison;Mansion")]
)
def test_all_that_take_a_glossary_obey_it(
    name: str, text: str, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    (tmp_path / "a.txt").write_text("La maison bleue.\n")
    translator = Translator.load(model)
    assert "Mansion" in str(translator.translate("La maison bleue.", glossary=path))
    assert "Mansion" in translator.explain("La maison bleue.", glossary=str(path)).text
    common = ["-m", str(model), "--glossary", str(path)]
    assert run(["translate", *common, "--text", "La maison bleue."]) == 0
    assert run(["explain", *common, "La maison bleue."]) == 0
    assert capsys.readouterr().out.count("Mansion") >= 2
    assert run(["translate-file", *common, str(tmp_path / "a.txt"), "-o", str(tmp_path / "b.txt")]) == 0
    assert "Mansion" in (tmp_path / "b.txt").read_text()


def test_a_model_keeps_it_and_conflicts_have_the_lines_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = make_model(tmp_path / "fr-en.model")
    path = tmp_path / "a.csv"
    path.write_text('# a remark\nmaison,"Man\nsion"\n\nchat,cat\nmaison,villa\n', encoding="utf-8")
    assert run(["glossary", "check", "-m", str(model), str(path)]) == 0
    assert f"{path}, line 6: 'maison' has another translation in line 2" in capsys.readouterr().out
    assert run(["glossary", "use", str(model), str(path)]) == 0
    assert (model / "glossary.tsv").read_text() == "maison\tMan sion\nchat\tcat\nmaison\tvilla\n"
    assert str(Translator.load(model).translate("La maison.")) == "The Man sion."
    path.write_text("chat cat\nmaison = house\n")
    before = (model / "glossary.tsv").read_bytes()
    assert run(["glossary", "use", str(model), str(path)]) == 1
    assert (model / "glossary.tsv").read_bytes() == before


def test_of_a_model_that_does_not_say_its_languages(tmp_path: Path) -> None:
    (tmp_path / "a.tbx").write_text(TBX_2)
    with pytest.raises(InputError, match="does not say which are its own"):
        Glossary.read(tmp_path / "a.tbx")
