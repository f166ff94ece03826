#include "text/sentence_tables.h"

#include <array>
#include <string>

#include "text/language.h"

namespace dragoman::text {
namespace {

// What stands for no language in particular: Latin and international usage.
constexpr SentenceTable unknown_language = {
    .language = "",
    .before_word = "mr mrs ms dr prof st gen col capt lt sgt rev hon sen rep gov pres mt ft vs cf e.g i.e viz",
    .before_number = "no nr nos vol fig figs p pp art ch chap sec tab eq ed op cap",
    .anywhere =
        "inc ltd co corp bros jr sr al approx ca ave blvd rd dept a.m p.m Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct "
        "Nov Dec",
    .closing = "etc",
    .starters = "",
};

constexpr std::array tables = {
    SentenceTable{
        .language = "en",
        .before_word =
            "mr mrs ms messrs mme mlle mx dr drs prof st sts gen maj col lt capt cpt cmdr cdr sgt cpl pvt brig adm "
            "rev revd hon sen rep reps gov pres supt det insp fr msgr mt ft pfc gens sens govs "
            "vs e.g i.e eg ie cf viz ph incl esp resp approx asst assoc univ",
        .before_number =
            "no nos nr vol vols fig figs p pp pg art arts ch chap sec sect tab eq eqs para par pt ver ref op "
            "circa ca c cl ex est",
        .anywhere =
            "inc ltd co corp Cos bros jr sr esq al ave blvd rd hwy dept bldg plc u.s u.k u.n e.u d.c l.a a.m p.m b.c "
            "a.d ph.d m.d b.a m.a Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Tue Tues Thu Thur Thurs sq lb lbs "
            "oz hrs mins eds tel Calif Conn Penn Pa Fla Ariz Ala Ark Colo Del Ga Kan Ky Md Mich Minn Mont Neb Nev "
            "Okla Ore Tenn Tex Va Vt Wis Wyo",
        .closing = "etc et.al",
        .starters =
            "the a an this that these those it its he she they we you i his her their our my your there here in on at "
            "by for from with without of to as if when while where why what who whom whose which how because since "
            "although though but and or so yet nor however moreover furthermore therefore thus nevertheless meanwhile "
            "after before during despite until unless once even only also both all some many most few each every any "
            "no "
            "not now then today finally first firstly secondly is are was were do does did can could will would should "
            "has have had let please such under between among about against instead indeed perhaps maybe still",
    },
    SentenceTable{
        .language = "fr",
        .before_word = "m mm mme mmes mlle mlles dr drs pr prof me mgr st ste sts stes gén Maj Col Cap cne ft lt cdt "
                       "cf c.-à-d c.à.d "
                       "p.ex vs env av boul bd resp",
        .before_number = "n no nos nº art al p pp pg vol chap fig figs sect t éd tab par alin ann réf §",
        .anywhere =
            "i.e e.g ex jr sr inc ltd cie sté tél apr j.-c janv févr avr juil Sept Oct Nov déc dép adj ibid hab r.-u "
            "é.-u s.a s.a.r.l u.s",
        .closing = "etc",
        .starters =
            "le la les l' un une des ce cet cette ces il elle ils elles on nous vous je j' tu c' ça cela ceci qui que "
            "qu' quoi "
            "où quand comment pourquoi quel quelle quels quelles si mais et ou or donc ni car en dans sur sous par "
            "pour "
            "avec sans chez vers entre depuis pendant après avant dès à au aux d' du de son sa ses leur leurs notre "
            "nos "
            "votre vos mon ma mes ton ta tes selon malgré outre ainsi alors aussi cependant toutefois néanmoins "
            "pourtant "
            "enfin ensuite puis lorsque lorsqu' puisque puisqu' comme bien tout toute tous toutes plus moins même "
            "aucun "
            "aucune certains certaines plusieurs chaque voici voilà ici là y ne n' se s' est sont tant quant afin",
    },
    SentenceTable{
        .language = "de",
        .ordinal_full_stop = true,
        .capital_nouns = true,
        .before_word =
            "hr hrn fr dr dres prof st ing dipl mag med phil jur rer nat habil frl gebr z.b bspw bzw vgl ca d.h "
            "u.a inkl exkl evtl ggf gem sog sogen i.d.r i.a u.u v.a insb insbes zzgl abzgl zz zw m.e o.g "
            "geb gest ehem ehm engl franz dt lat amerik gen maj ft kgl lfd mind "
            "verh wiss allg ausschl betr einschl entspr ff röm österr schweiz",
        .before_number =
            "nr nrn art abs abschn s seite bd bde kap ziff tel abb tab fig aufl lit anm ausg vol pos no hnr "
            "§",
        .anywhere = "ltd inc co corp jr sr mio mrd tsd Jan Feb Mär Apr Jun Jul Aug Sep Sept Okt Nov Dez Str Jh Jhd "
                    "Jhdt Hrsg a.d "
                    "n.chr v.chr chr Std Sek Min Stk al e.v a.g",
        .compound_ends = "str",
        .closing = "usw u.ä u.dgl etc o.ä dgl u.s.w u.v.m uvm usf",
        .starters =
            "der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem er sie es wir "
            "ihr "
            "ich du man sein seine seinen seiner ihre ihren ihrem ihrer unser unsere mein meine in im an am auf aus "
            "bei "
            "beim mit nach seit von vom vor zu zum zur für durch gegen ohne um über unter zwischen während wegen trotz "
            "bis und oder aber denn doch sondern wenn weil dass da als ob obwohl damit nachdem bevor wie wo was wer "
            "wen "
            "wem wessen warum wann welche welcher welches hier dort dann danach so auch nur noch nicht kein keine "
            "keiner "
            "alle alles viele einige mehrere jeder jede jedes beide solche außerdem jedoch deshalb daher trotzdem "
            "dennoch allerdings schließlich zudem dabei dafür dagegen davon dazu darum darüber deswegen somit "
            "heute gestern jetzt nun schon bereits ist sind war waren hat haben wird werden kann können soll sollte "
            "muss laut statt anstatt insgesamt zunächst zuerst wäre nichts etwas sogar erst ja nein",
    },
    SentenceTable{
        .language = "cs",
        .ordinal_full_stop = true,
        .syllabic_consonants = true,
        .before_word =
            "p pp pí sl mr mrs dr prof doc ing mgr bc judr mudr phdr rndr mvdr paeddr thdr akad arch ph st sv gen plk "
            "pplk mjr maj ft nar kpt por npor např tj tzv tzn resp popř příp cca vč zejm srov hl zvl roz kol arcib bl "
            "dipl red odd nám ul tř býv čes něm angl lat fr m.j mj t.j t.zv",
        .before_number = "č čís čl str s odst písm kap obr tab sv roč vyd zák sb § bod př fig vol no tel čp",
        .anywhere =
            "a.s s.r.o spol o.p.s inc ltd co corp jr sr ml st mil mld tis kčs hod sek břez květ červ n.l př.n.l r stol",
        .closing = "atd atp apod aj ap etc",
        .starters =
            "ten ta to ti ty tento tato toto tyto tím tom toho tomu já ty on ona ono my vy oni je jsou byl byla bylo "
            "byli "
            "bude budou jsem jsme není nejsou má mají v ve na do od ode z ze s se k ke u o po pro při před přes pod "
            "nad "
            "mezi bez za podle kvůli během díky kromě místo a i ale nebo anebo však avšak proto protože když kdyby aby "
            "pokud jestliže že jak jako co kdo kde kam kdy proč který která které kteří jaký jaká jaké tak také "
            "taky ještě už již pak potom poté nyní teď dnes zde tady tam jen pouze ani ne ano všechno všichni všechny "
            "každý každá každé některé někteří mnoho jeho její jejich náš naše můj moje svůj přesto navíc nicméně "
            "naopak například možná snad zatímco ovšem nejprve nakonec konečně dále ačkoli ačkoliv přestože "
            "většina několik žádný žádná",
    },
    SentenceTable{
        .language = "es",
        .before_word = "sr sra sres sras srta d dª dr dra prof profa lic ing arq gral cnel cap sto sta fr ud uds vd "
                       "vds p.ej ej cf "
                       "vs av avda excmo ilmo",
        .before_number = "n nº núm núms no art arts pág págs p pp vol cap fig t ed tel aprox",
        .anywhere = "ee.uu e.u s.a s.l cía ltda inc co a.c d.c a.m p.m jr feb abr jun jul ago sep sept oct nov dic",
        .closing = "etc",
        .starters =
            "el la los las un una unos unas este esta estos estas ese esa eso esto él ella ellos ellas yo nosotros "
            "usted "
            "ustedes se es son en de del al a por para con sin sobre entre desde hasta según tras pero y o ni si no "
            "que "
            "quien cuando como donde porque aunque mientras además también sin embargo así entonces ahora hoy su sus "
            "nuestro nuestra mi todo todos todas más muy ya hay fue lo le les cada otro otra algunos muchos",
    },
    SentenceTable{
        .language = "it",
        .before_word = "sig sigg sig.ra sig.na dott dott.ssa dr prof prof.ssa avv ing arch geom rag on sen gen col cap "
                       "ten mons don s "
                       "ss cfr es p.es vs ca",
        .before_number = "n nn num no art artt pag pagg p pp vol cap fig tel sez",
        .anywhere = "s.p.a s.r.l inc ltd co jr a.c d.c u.s.a feb apr mag giu lug ago ott nov dic",
        .closing = "ecc etc",
        .starters =
            "il lo la i gli le l' un uno una questo questa questi queste quello quella è sono era in nel nella di del "
            "della "
            "a al alla da dal per con su sul tra fra ma e o se non che chi quando come dove perché anche però inoltre "
            "così "
            "ora oggi io noi voi lui lei loro si ci il suo sua nostro tutti tutto ogni dopo prima senza secondo",
    },
    SentenceTable{
        .language = "pt",
        .before_word = "sr sra srs sras srta d dr dra prof profa eng arq gen cel cap exmo exma v p.ex ex cf vs av",
        .before_number = "n nº núm no art arts pág págs p pp vol cap fig tel aprox",
        .anywhere = "s.a ltda cia inc co e.u.a a.c d.c jr jan fev abr jun jul nov dez",
        .closing = "etc",
        .starters =
            "o a os as um uma este esta estes estas esse essa isso isto ele ela eles elas eu nós você é são em no na "
            "de do "
            "da por para com sem sobre entre desde até segundo mas e ou se não que quem quando como onde porque embora "
            "enquanto além também porém assim então agora hoje seu sua nosso nossa todo todos mais já há foi cada",
    },
    SentenceTable{
        .language = "nl",
        .before_word = "dhr mw mevr dr drs prof ir ing mr st bijv b.v d.w.z m.a.w o.a i.p.v t.o.v m.b.t n.a.v m.n vgl "
                       "ca gen kol kapt "
                       "resp incl excl evt zgn",
        .before_number = "nr nrs no art blz p pp par hfdst fig afb tel dl",
        .anywhere = "n.v b.v co inc ltd jr sr v.chr n.chr jan feb mrt apr jun jul aug sep sept okt nov dec e.a a.u.b",
        .compound_ends = "str",
        .closing = "enz etc e.d",
        .starters =
            "de het een deze dit die dat hij zij ze wij we ik je jij u er is zijn was in op aan van voor met naar bij "
            "door "
            "uit over onder tussen tijdens na maar en of want als wanneer omdat hoewel dat wat wie waar waarom hoe ook "
            "echter daarom dus toen nu vandaag niet geen alle veel sommige elke mijn ons onze hun haar om te daarnaast",
    },
    SentenceTable{
        .language = "pl",
        .ordinal_full_stop = true,
        .before_word = "p pp dr hab prof inż mgr lek płk gen kpt por ppłk mjr ks św bł np tj tzn tzw m.in ok al ul pl "
                       "os im zob por wg "
                       "ang niem fr łac red",
        .before_number = "nr art str s ust pkt poz par rozdz rys tab t tel godz §",
        .anywhere = "r w z.o.o sp s.a mln mld tys gr n.e p.n.e jr inc ltd in",
        .closing = "itd itp etc",
        .starters =
            "ten ta to ci te on ona ono oni my wy ja jest są był była było w we na do od z ze po przez przed pod nad "
            "między "
            "bez za dla o u i a ale lub albo jednak jeśli jeżeli gdy kiedy że żeby aby co kto gdzie jak dlaczego który "
            "która które tak też także już teraz dziś tam tu tutaj nie tylko wszystko wszyscy każdy jego jej ich nasz "
            "dlatego ponieważ chociaż natomiast zatem więc ponadto",
    },
    SentenceTable{
        .language = "sk",
        .ordinal_full_stop = true,
        .syllabic_consonants = true,
        .before_word = "p sl dr prof doc ing mgr bc judr mudr phdr rndr mvdr paeddr thdr arch sv gen plk mjr kpt por "
                       "npr napr t.j tj "
                       "tzv tzn resp príp cca vr hl nám ul býv",
        .before_number = "č čl str s ods písm kap obr tab zv roč vyd zák § tel",
        .anywhere = "a.s s.r.o spol inc ltd co corp jr sr ml st mil mld tis hod r stor",
        .closing = "atď atp pod apod",
        .starters = "ten tá to tí tie tento táto toto tieto ja ty on ona ono my vy oni je sú bol bola bolo boli bude v "
                    "vo na do od z "
                    "zo s so k ku u o po pre pri pred cez pod nad medzi bez za podľa a aj i ale alebo však preto "
                    "pretože keď keby "
                    "aby ak že ako čo kto kde kam kedy prečo ktorý ktorá ktoré tak tiež ešte už potom teraz dnes tu "
                    "tam len iba "
                    "ani nie áno všetko všetci každý jeho jej ich náš",
    },
    SentenceTable{
        .language = "ru",
        .before_word =
            "г гг г-н г-жа гр проф акад доц д-р св ул пл пер наб т.е т.к т.н напр см ср им о ген полк кап инж "
            "тов",
        .before_number = "№ стр с ст п гл рис табл т тел вып пп",
        .anywhere = "гг г вв руб коп тыс млн млрд н.э мин сек",
        .closing = "т.д т.п др пр",
        .starters =
            "это этот эта эти тот та те он она оно они мы вы я ты в во на по из за к ко с со у о об от до для при под "
            "над "
            "между без через и а но или если когда чтобы что кто где как почему который которая так также уже ещё "
            "потом теперь сегодня здесь там не нет да все всё каждый его её их наш однако поэтому потому хотя",
    },
    SentenceTable{
        .language = "sv",
        .before_word = "dr prof hr fr s.k d.v.s dvs t.ex bl.a ca jfr resp inkl exkl fil tekn kapt gen",
        .before_number = "nr kap s sid art fig tab kl tel st vol",
        .anywhere = "f.kr e.kr jan feb mar apr jun jul aug sep sept okt nov dec mkr milj",
        .closing = "etc osv m.m m.fl o.s.v e.d",
        .starters = "den det de en ett denna detta dessa han hon vi ni jag du man är var i på av för med till från om "
                    "under över "
                    "mellan efter innan men och eller när där hur vad vem varför som att så då nu idag inte alla många "
                    "varje min "
                    "vår deras hans hennes dock därför också även",
    },
    SentenceTable{
        .language = "da",
        .ordinal_full_stop = true,
        .before_word = "dr prof hr fr f.eks bl.a dvs d.v.s ca jf inkl ekskl kapt gen ing cand",
        .before_number = "nr kap s art fig tab kl tlf stk vol",
        .anywhere = "f.kr e.kr jan feb mar apr jun jul aug sep sept okt nov dec mio mia",
        .closing = "etc osv m.m m.fl mv o.lign",
        .starters =
            "den det de en et denne dette disse han hun vi i jeg du man er var på af for med til fra om under over "
            "mellem efter "
            "før men og eller når hvor hvordan hvad hvem hvorfor som at så da nu ikke alle mange hver min vores deres "
            "hans hendes dog derfor også",
    },
    SentenceTable{
        .language = "fi",
        .ordinal_full_stop = true,
        .before_word = "dr prof tri ts esim mm ns nk ko em ym vrt",
        .before_number = "nro n s ss klo puh kpl luku vol",
        .anywhere = "oy eaa jaa milj mrd",
        .closing = "jne yms ym",
        .starters = "se ne hän he me te minä sinä tämä tuo nämä nuo on ovat oli ja tai mutta jos kun koska että vaikka "
                    "mitä kuka missä "
                    "miten miksi myös nyt sitten tänään ei kaikki moni jokainen kuitenkin siksi siis",
    },
    SentenceTable{
        .language = "el",
        .semicolon_asks = true,
        .before_word = "κ κα κος δρ καθ αγ π.χ δηλ βλ πρβλ λ.χ στρ ταγμ",
        .before_number = "αρ σελ σ τ τόμ κεφ εικ πίν αριθ παρ τηλ",
        .anywhere = "μ.χ π.χ α.ε ο.ε ε.ε η.π.α π.μ μ.μ ιαν φεβ μαρ απρ ιουν ιουλ αυγ σεπ οκτ νοε δεκ",
        .closing = "κ.λπ κλπ κ.ά κ.τ.λ κτλ κ.ο.κ",
        .starters =
            "ο η το οι τα τον την των του της τους τις ένας μία μια ένα αυτός αυτή αυτό αυτοί είναι ήταν σε στο στη "
            "στην στον με από για και αλλά ή αν όταν επειδή όμως επίσης που πού πώς πότε γιατί τι ποιος ποια δεν "
            "μην θα να εγώ εσύ εμείς εσείς όλοι όλα κάθε μετά πριν κατά παρά",
    },
    SentenceTable{
        .language = "hu",
        .ordinal_full_stop = true,
        .before_word = "dr prof ifj id özv gr br st pl ún ill kb vö ld",
        .before_number = "sz o old fej bek § tel cca",
        .anywhere = "kft rt zrt nyrt bt i.sz i.e",
        .closing = "stb",
        .starters = "a az ez egy ő ők mi ti én te ezek azok és vagy de ha hogy mert amikor ahol mi ki hol hogyan miért "
                    "is már még most "
                    "akkor itt ott nem minden sok azonban ezért tehát",
    },
};

}  // namespace

const SentenceTable& sentence_table(std::string_view language) {
  const std::string base = base_language(language);
  for (const SentenceTable& table : tables)
    if (table.language == base) return table;
  return unknown_language;
}

}  // namespace dragoman::text
