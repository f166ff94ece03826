"""The commonest function words of languages in lower case: enough to tell them apart in a sentence of some length.

Word splitting is at anything but letters, so that the clitics l', d', 's and n't appear as single letters. A language
that is not here is not checked.
"""

from __future__ import annotations

from dragoman.corpus.languages import canonical

FUNCTION_WORDS: dict[str, str] = {
    "en": (
        "the of and to in a is that it for on with as was are be by this have from or not at an they which you we "
        "but his has had their its were would been will there can what all if who more when he she him her them "
        "our your my i do does did so no than into about these those some any could should how out up also only s "
        "t us me one very"
    ),
    "fr": (
        "le la les de des du un une et à en est que qui dans pour sur par au aux avec ce cette ces il elle ils "
        "elles nous vous je on ne pas plus ou mais son sa ses leur leurs notre votre nos vos se sont être été "
        "était a ont avons avez ai avoir fait si tout tous toute comme y où cela ça mon ma mes lui me te moi l d "
        "qu n s c j m t quand très tu es suis sommes êtes toi ton ta tes quel quelle deux aussi sans sous bien "
        "même dont ni alors car donc"
    ),
    "de": (
        "der die das und in zu den von ist mit für auf ein eine einer eines einem einen nicht sich des dem im "
        "auch es als an dass daß wir ich sie er wird werden wurde wurden sind war haben hat hatte bei nach aus um "
        "über durch aber oder wie so noch nur kann können muss müssen sein seine ihr ihre unser uns mich mir du "
        "wenn man zum zur vor am bis dieser diese dieses sehr was wer hier da doch mehr"
    ),
    "cs": (
        "a v na je se že z s do o to i k ve pro za si jako po by ale jsou jsem který která které co tak od není "
        "bylo byl byla byly jeho její jejich nebo až být už jen když jsme jste mi mě ho mu při podle než ze aby "
        "bude může tento tato toto této tohoto také však pokud pod nad mezi před jak jej já ty on ona my vy oni "
        "kde kdo ne má"
    ),
    "sk": (
        "a v na je sa že z s do o to i k vo pre za si ako po by ale sú som ktorý ktorá ktoré čo tak od nie bolo "
        "bol bola boli jeho jej ich alebo až byť už len keď sme ste mi ma ho mu pri podľa než zo aby bude môže "
        "tento táto toto tiež však ak pod nad medzi pred ja ty on ona my vy oni kde kto má"
    ),
    "pl": (
        "w i na z do się nie że to jest o jak za po ale co tak od przez przy dla czy są był była było były jego "
        "jej ich lub oraz który która które których być już tylko kiedy my wy ja ty on ona oni może ten ta te "
        "tego tej tym także jednak jeśli pod nad między przed mnie mi go mu ze we by aby bardzo jako gdy ma"
    ),
    "es": (
        "el la los las de del un una unos y en es que qui a por para con no se su sus lo al como más o pero si "
        "este esta esto estos estas ha han había son era fue ser está están nos les le me te mi yo él ella ellos "
        "muy también hay cuando donde sobre entre sin hasta desde todo todos porque nosotros ustedes usted ya ni"
    ),
    "pt": (
        "o a os as de do da dos das um uma e em no na nos nas é que para por com não se seu sua seus suas ao à "
        "mais ou mas como este esta isto isso esse essa foi são era ser está estão ter tem há já também eu ele "
        "ela eles nós você muito quando onde sobre entre sem até pelo pela todos porque lhe me te nem"
    ),
    "it": (
        "il lo la i gli le di del della dei delle dello degli un una uno e in è che a per con non si su nel nella "
        "al alla ai alle da dal dalla come più o ma questo questa questi queste ha hanno sono era essere stato "
        "stata ci vi ne mi ti suo sua loro anche quando dove tra fra se io lui lei noi voi molto tutti perché cui "
        "l d c sul sulla"
    ),
    "nl": (
        "de het een en van in is dat op te zijn voor met niet aan er die om ook als maar bij of dan nog uit naar "
        "door over ze hij ik je we wij wordt worden werd was waren heeft hebben had kan kunnen moet moeten zal "
        "zou dit deze hun haar mijn ons onze u uw zich al meer geen tot wat wie hoe hier daar zo veel tegen onder"
    ),
    "sv": (
        "och i att det som en på är av för med den till inte om ett har de jag så men var han hon vi kan ska "
        "skall från eller vid när sig sin sina sitt detta denna dessa efter mot under över också blir blev blivit "
        "hade skulle vara varit mig dig oss er ni du mycket alla här där vad hur nu upp ut bara man"
    ),
    "da": (
        "og i at det som en på er af for med den til ikke om et har de jeg så men var han hun vi kan skal fra "
        "eller ved når sig sin sine sit dette denne disse efter mod under over også bliver blev blevet havde "
        "ville skulle være været mig dig os jer du meget alle her der hvad hvor nu op ud kun man"
    ),
    "nb": (
        "og i at det som en på er av for med den til ikke om et har de jeg så men var han hun vi kan skal fra "
        "eller ved når seg sin sine sitt dette denne disse etter mot under over også blir ble blitt hadde ville "
        "skulle være vært meg deg oss dere du mye alle her der hva hvor nå opp ut bare man"
    ),
    "fi": (
        "ja on ei se että en hän oli ovat tämä mutta ole kun niin joka mitä kuin myös jos tai sen sitä ne hänen "
        "olen minä sinä me te he voi olla ollut sekä jo vain nyt tässä mukaan jotka jonka siitä siinä kaikki "
        "minun meidän teidän vielä sitten kanssa koska mikä ettei eivät emme"
    ),
    "hu": (
        "a az és hogy nem is egy ez meg de van volt csak el ha már mint még ezt azt én te ő mi ti ők vagy minden "
        "nagyon most itt ott úgy így lesz lehet kell fel ki be le vagyok voltak aki ami amely sem mert után "
        "között által szerint ennek annak olyan"
    ),
    "ro": (
        "și în de la cu a pe nu este că un o din care pentru mai se sunt au am ca al ale ai ce sau dar fi fost "
        "era această acest aceste acestea lui lor ei el ea eu noi voi prin după dacă foarte când unde despre "
        "între fără până toate toți într-o într s l i îl îi își şi"
    ),
    "hr": (
        "i u je se na da su za s od o koji koja koje kao ne to nije bi biti ali ili iz po što kako već samo kad "
        "ako smo ste sam li bio bila bilo će ćemo mu ga ih im mi vi oni ona on ja ti također prema između nakon "
        "prije kod"
    ),
    "sl": (
        "in je v na se da so za z s ki pa ne tudi kot po o to bi ali od ni pri iz kako že samo ko če sem smo ste "
        "bil bila bilo bo bodo lahko mu ga jih jim mi vi oni ona on jaz ti med pred kar ker vse zelo"
    ),
    "lt": (
        "ir į yra kad su iš o bet kaip tai ne jis ji jie aš tu mes jūs buvo nuo už per ar dėl prie bei taip pat "
        "jo jos jų mano mūsų kuris kuri kurie tik dar jau labai gali bus būti po apie šis ši šio"
    ),
    "lv": (
        "un ir ka ar no uz par bet kā tas tā nav viņš viņa es tu mēs jūs bija pie vai arī to šis šī savu mūsu kas "
        "kurš tikai vēl jau ļoti var būs būt pēc līdz lai ja"
    ),
    "et": (
        "ja on ei et see ta oli kui ka mis aga või nii oma need seda selle kes ma sa me te nad olen olla olnud "
        "saab peab siis juba ainult väga kõik minu meie teie nende ning mida pärast kuid veel"
    ),
    "tr": (
        "ve bir bu da de için ile çok ne o var daha gibi ama ben sen biz siz onlar mi mı değil olarak olan oldu "
        "kadar sonra şey her ya en ki bana sana ona beni seni onu şu hiç çünkü ise tarafından"
    ),
    "ca": (
        "el la els les de del dels un una i a en és que per amb no es se al als més o però com aquest aquesta "
        "aquests ha han són era ser està ens li em et meu seu seva també hi quan on sobre entre sense fins tot "
        "tots perquè molt l d s n m"
    ),
    "sq": (
        "dhe të në e i një për me nuk që është së ka janë nga si por ose u ai ajo unë ti ne ju kjo ky këtë do "
        "mund kam ishte më shumë kur ku pas"
    ),
    "id": (
        "yang dan di ini itu dengan untuk dari tidak dalam adalah pada ke akan saya kami kita mereka anda dia "
        "bisa dapat telah sudah ada oleh atau juga karena seperti lebih tetapi sebagai hanya saat"
    ),
    "vi": (
        "và của là không có được cho trong một những các này với người tôi đã để khi từ đến như cũng về ra thì mà "
        "ở nó bạn chúng rất nhiều sẽ bị nhưng"
    ),
    "sw": (
        "na ya wa kwa ni katika la za cha kuwa hii hiyo yake wao sisi mimi wewe yeye si pia lakini kama au hata "
        "bila kila watu"
    ),
    "ru": (
        "и в не на что с я он как это по но они мы к у из за от то все так же для бы о его она было был была были "
        "есть вы ты или если только когда уже ещё еще может чтобы этот эта эти мне меня нас вас их её ее ему им "
        "при до под над между также очень который которая которые где кто"
    ),
    "uk": (
        "і в не на що з я він як це по але вони ми до у із за від то все так же для би о його вона було був була "
        "були є ви ти або якщо тільки коли вже ще може щоб цей ця ці мені мене нас вас їх її йому їм при під над "
        "між також дуже який яка які де хто та й"
    ),
    "be": (
        "і у не на што з я ён як гэта па але яны мы да к за ад то усё так жа для бы аб яго яна было быў была былі "
        "ёсць вы ты або калі толькі ужо яшчэ можа каб гэты мне мяне нас вас іх яе яму ім пры пад над паміж "
        "таксама вельмі які"
    ),
    "bg": (
        "и в не на че с аз той как това по но те ние към у от за се да са си е беше бил била били съм сте вие ти "
        "или ако само когато вече още може този тази тези ми ме нас вас ги им при до под над между също много "
        "който която които където кой го му ще ли"
    ),
    "sr": (
        "и у је се на да су за с од о који која које као не то није би бити али или из по што како већ само кад "
        "ако смо сте сам ли био била било ће му га их им ми ви они она он ја ти такође према између"
    ),
    "mk": (
        "и во не на дека со јас тој како тоа по но тие ние кон од за се да си е беше сум сте вие ти или ако само "
        "кога веќе уште може овој оваа овие ми ме нас вас ги им при до под над меѓу исто многу кој која кои каде "
        "го му ќе ли"
    ),
    "el": (
        "και το να του η της με που την από για είναι στο τα οι ο ένα τον στην δεν τη των σε θα τους αυτό μια ότι "
        "ή αλλά ως μου σου μας σας κατά στη στον πολύ όταν πως αν ήταν έχει έχουν μπορεί εγώ εσύ αυτή αυτός εμείς "
        "εσείς"
    ),
}
ALIASES = {"no": "nb", "nn": "nb", "bs": "hr", "sh": "hr", "ms": "id", "in": "id", "mo": "ro"}
# Serbian is in the table in Cyrillic; in Latin letters it reads like Croatian.
LATIN_SERBIAN = "sr-latn"


def table_code(lang: str) -> str:
    """The row of the table that a language is checked against, or an empty string."""
    code = canonical(lang)
    if code.startswith(LATIN_SERBIAN):
        return "hr"
    first = code.split("-")[0]
    first = ALIASES.get(first, first)
    if first == "sr" and code == "sr":
        return ""  # either alphabet
    return first if first in FUNCTION_WORDS else ""
