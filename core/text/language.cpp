#include "text/language.h"

#include <algorithm>
#include <iterator>

#include "base/errors.h"
#include "text/lines.h"

namespace dragoman::text {
namespace {

// To add a language, add a row; sentence_tables.cpp has one for what only the splitter needs to know. The first row is
// for all others.
constexpr LanguageRow rows[] = {
    {.code = "", .clitics = "'s", .abbreviations = "dr prof etc"},
    {.code = "en",
     .clitics = "'s 'm 'd 're 've 'll n't",
     .whole_words = "y'all ma'am",
     .abbreviations = "mr mrs ms dr prof rev gen sen rep gov capt col lt sgt cpl maj adm st jr sr hon messrs mt ft "
                      "inc ltd corp bros vs etc al approx dept est jan feb apr jun jul aug sept oct nov dec ph ave "
                      "blvd assn univ",
     .number_words = "no nos art arts p pp vol fig figs sec ch eq mar"},
    {.code = "fr",
     .elisions = "l' d' j' n' s' t' m' c' ç' qu' jusqu' lorsqu' puisqu' quoiqu'",
     .clitics = "'s",
     .enclitics = "-t-il -t-ils -t-elle -t-elles -t-on -il -ils -elle -elles -on -je -tu -nous -vous -ce -moi -toi "
                  "-le -la -les -lui -leur -y -en -ci -là -même -mêmes",
     .whole_words = "peut-être est-à-dire au-delà au-dessus au-dessous au-devant au-dedans au-dehors là-bas là-haut "
                    "là-dessus là-dessous là-dedans ci-dessus ci-dessous ci-après ci-joint ci-jointe vis-à-vis "
                    "rendez-vous quelqu'un quelqu'une aujourd'hui prud'homme prud'hommes prud'homal presqu'île "
                    "après-midi après-demain avant-hier week-end week-ends par-dessus par-dessous par-delà "
                    "chef-d'œuvre chefs-d'œuvre",
     .abbreviations = "mm dr pr prof mr ste st etc cf av env éd tél janv févr avr juil sept oct nov déc bd",
     .number_words = "p pp art fig vol chap",
     .spaced_punctuation = "? ! ; : % ‰",
     .spaced_guillemets = true},
    {.code = "de",
     .clitics = "'s",
     .abbreviations = "bzw usw etc ca evtl ggf inkl exkl dr prof hr fr frl st nr str abs art bzgl vgl sog mio mrd tsd "
                      "max min std jh jhd chr jan feb mär apr jun jul aug sep sept okt nov dez entspr insb insbes mind "
                      "tel ing dipl hrsg bd zzgl abzgl geb gest sr jr inc allg dt engl franz gem gegr ehem",
     .number_words = "kap abb lt s z",
     .spaced_punctuation = "% ‰",
     .reversed_guillemets = true,
     .ordinal_dots = OrdinalDots::before_words,
     .compounds = {.links = "s es n en er e", .drops = "e en"},
     .capital_nouns = true},
    {.code = "cs",
     .clitics = "'s",
     .enclitics = "-li",
     .abbreviations =
         "např tzv tj tzn atd apod aj resp popř příp sv ing mgr bc mudr judr phdr rndr doc prof dr kpt plk "
         "gen mjr por mil mld tis hod ul nám odst cca vč zák ev event roč angl něm lat ml st csc drsc",
     .number_words = "č čís str obr tab kap s",
     .spaced_punctuation = "% ‰",
     .reversed_guillemets = true,
     .ordinal_dots = OrdinalDots::before_lower_case},
    {.code = "sk",
     .clitics = "'s",
     .abbreviations =
         "napr tzv tj tzn atď apod resp popr príp sv ing mgr bc mudr judr phdr doc prof dr kpt plk gen mil "
         "mld tis hod ul nám ods cca vr roč angl ml st",
     .number_words = "č čís str obr tab kap s",
     .spaced_punctuation = "% ‰",
     .reversed_guillemets = true,
     .ordinal_dots = OrdinalDots::before_lower_case},
    {.code = "pl",
     .clitics = "'s",
     .abbreviations = "np itd itp tzw tj dr prof mgr inż ks ul ust pkt godz tys mln mld al św im gen płk kpt ok ww hab",
     .number_words = "nr str art s r"},
    {.code = "it",
     .elisions = "l' un' all' dell' dall' nell' sull' coll' d' c' s' m' t' v' n' gl' quell' quest' bell' sant' tutt' "
                 "senz' anch' dov' com' cos' mezz' quant' ch' nient' grand' buon'",
     .clitics = "'s",
     .whole_words = "po' mo' be' va' fa' di' da' sta'",
     .abbreviations = "sig sigg dott prof avv ing on egr ecc cfr dr sec mons geom rag",
     .number_words = "art artt n nn pag pagg pp fig cap"},
    {.code = "es",
     .clitics = "'s",
     .abbreviations = "sr sra sres srta dr dra ud uds etc aprox av avda prof lic ing gral",
     .number_words = "pág págs núm art arts fig cap",
     .spaced_punctuation = "% ‰"},
    {.code = "ca",
     .elisions = "l' d' n' s' m' t'",
     .clitics = "'l 'n 's 't 'm 'ls 'ns",
     .enclitics = "-hi -ho -se -ne -n -lo -la -los -les -li -me -te -nos -vos -us",
     .abbreviations = "sr sra dr dra etc aprox av prof",
     .number_words = "pàg núm art fig cap"},
    {.code = "pt",
     .elisions = "d'",
     .clitics = "'s",
     .enclitics = "-se -me -te -lhe -lhes -o -a -os -as -lo -la -los -las -no -na -nos -nas -vos",
     .abbreviations = "sr sra srs dr dra exmo prof eng etc av",
     .number_words = "pág núm art fig cap"},
    {.code = "nl",
     .whole_words = "'s 't 'n",
     .abbreviations = "dhr mevr mw dr ir ing prof bijv enz ca evt incl excl resp mr drs jhr mln mld st",
     .number_words = "nr blz art fig",
     .compounds = {.links = "s en n er e"}},
};

bool is_code(std::string_view code) {
  return code.size() >= 2 && code.size() <= 32 && std::all_of(code.begin(), code.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
         });
}

const LanguageRow* find_row(std::string_view code) {
  const std::string base = base_language(code);
  const auto* row =
      std::find_if(std::begin(rows), std::end(rows), [&](const LanguageRow& r) { return r.code == base; });
  return row == std::end(rows) ? &rows[0] : row;
}

struct WritingRow {
  Writing writing;
  std::string_view codes;
};
constexpr WritingRow writings[] = {
    {Writing::chinese, "zh cmn yue wuu nan hak gan hsn cdo lzh"},
    {Writing::japanese, "ja"},
    {Writing::korean, "ko"},
    {Writing::continuous, "th lo km my bo dz shn mnw ksw nod tts"},
};

Writing writing_of(std::string_view base) {
  for (const WritingRow& row : writings) {
    bool listed = false;
    for_each_word(row.codes, [&](std::string_view code) { listed = listed || code == base; });
    if (listed) return row.writing;
  }
  return Writing::spaced;
}

}  // namespace

bool is_listed(std::string_view list, std::string_view code) {
  return (' ' + std::string(list) + ' ').find(' ' + std::string(code) + ' ') != std::string::npos;
}

std::string base_language(std::string_view code) {
  std::string base(code.substr(0, code.find_first_of("-_")));
  for (char& c : base)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return base;
}

Language::Language(std::string_view code)
    : code_(code),
      row_(find_row(code)),
      writing_(writing_of(base_language(code))),
      katakana_words_(writing_ == Writing::japanese && !code.ends_with("-x-kana")) {
  if (!is_code(code))
    throw ConfigError("language", "'" + code_ + "' is not a language code; give one such as en, fr or pt-BR");
  auto enter = [&](std::string_view list, uint8_t role) {
    for_each_word(list, [&](std::string_view word) { roles_[std::string(word)] |= role; });
  };
  enter(row_->elisions, elision);
  enter(row_->clitics, clitic);
  enter(row_->enclitics, enclitic);
  enter(row_->whole_words, whole_word);
  enter(row_->abbreviations, abbreviation);
  enter(row_->number_words, number_word);
}

bool Language::is_spaced_punctuation(std::string_view text) const {
  bool listed = false;
  for_each_word(row_->spaced_punctuation, [&](std::string_view mark) { listed = listed || mark == text; });
  return listed;
}

}  // namespace dragoman::text
