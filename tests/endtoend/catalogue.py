"""What a small program says, in English and nine languages: written for these tests, under the licence of the project.

Messages are made of a few parts, so that a model can learn them from some and be tried on others that it has not seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """`nouns` as objects of `verbs`, and how a command, a remark, a quotation, a question and others look."""

    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    command: str
    remark: str
    quotation: str
    question: str
    click: str
    size: str


def words(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|"))


ENGLISH = Language(
    words(
        "the file|the folder|the page|the picture|the document|the message|the program|the window|the list|the account"
    ),
    words("open|close|save|print|delete|show|hide|send|copy|move"),
    "{verb} {noun}",
    "You can {verb} {noun}.",
    "Click “{command}”.",
    "Can I {verb} {noun}?",
    "Click {noun}.",
    "Size: {number} MB",
)
LANGUAGES = {
    "ar": Language(
        words("الملف|المجلد|الصفحة|الصورة|المستند|الرسالة|البرنامج|النافذة|القائمة|الحساب"),
        words("فتح|إغلاق|حفظ|طباعة|حذف|إظهار|إخفاء|إرسال|نسخ|نقل"),
        "{verb} {noun}",
        "يمكنك {verb} {noun}.",
        "انقر على «{command}».",
        "هل يمكنني {verb} {noun}؟",
        "انقر على {noun}.",
        "الحجم: {number} MB",
    ),
    "cs": Language(
        words("soubor|složku|stránku|obrázek|dokument|zprávu|program|okno|seznam|účet"),
        words("otevřít|zavřít|uložit|vytisknout|smazat|zobrazit|skrýt|odeslat|zkopírovat|přesunout"),
        "{verb} {noun}",
        "Můžete {verb} {noun}.",
        "Klepněte na „{command}“.",
        "Mohu {verb} {noun}?",
        "Klepněte na {noun}.",
        "Velikost: {number} MB",
    ),
    "de": Language(
        words(
            "die Datei|den Ordner|die Seite|das Bild|das Dokument|die Nachricht|das Programm|das Fenster|die Liste"
            "|das Konto"
        ),
        words("öffnen|schließen|speichern|drucken|löschen|anzeigen|ausblenden|senden|kopieren|verschieben"),
        "{noun} {verb}",
        "Sie können {noun} {verb}.",
        "Klicken Sie auf „{command}“.",
        "Kann ich {noun} {verb}?",
        "Klicken Sie auf {noun}.",
        "Größe: {number} MB",
    ),
    "es": Language(
        words(
            "el archivo|la carpeta|la página|la imagen|el documento|el mensaje|el programa|la ventana|la lista"
            "|la cuenta"
        ),
        words("abrir|cerrar|guardar|imprimir|eliminar|mostrar|ocultar|enviar|copiar|mover"),
        "{verb} {noun}",
        "Puede {verb} {noun}.",
        "Haga clic en «{command}».",
        "¿Puedo {verb} {noun}?",
        "Haga clic en {noun}.",
        "Tamaño: {number} MB",
    ),
    "fr": Language(
        words(
            "le fichier|le dossier|la page|l’image|le document|le message|le programme|la fenêtre|la liste|le compte"
        ),
        words("ouvrir|fermer|enregistrer|imprimer|supprimer|afficher|masquer|envoyer|copier|déplacer"),
        "{verb} {noun}",
        "Vous pouvez {verb} {noun}.",
        "Cliquez sur « {command} ».",
        "Puis-je {verb} {noun} ?",
        "Cliquez sur {noun}.",
        "Taille : {number} Mo",
    ),
    "he": Language(
        words("את הקובץ|את התיקייה|את הדף|את התמונה|את המסמך|את ההודעה|את התוכנית|את החלון|את הרשימה|את החשבון"),
        words("לפתוח|לסגור|לשמור|להדפיס|למחוק|להציג|להסתיר|לשלוח|להעתיק|להעביר"),
        "{verb} {noun}",
        "אפשר {verb} {noun}.",
        "לחצו על “{command}”.",
        "האם אפשר {verb} {noun}?",
        "לחצו על {noun}.",
        "גודל: {number} MB",
    ),
    "ja": Language(
        words("ファイル|フォルダー|ページ|画像|文書|メッセージ|プログラム|ウィンドウ|リスト|アカウント"),
        words("開く|閉じる|保存する|印刷する|削除する|表示する|隠す|送信する|コピーする|移動する"),
        "{noun}を{verb}",
        "{noun}を{verb}ことができます。",
        "「{command}」をクリックします。",
        "{noun}を{verb}ことができますか？",
        "{noun}をクリックします。",
        "サイズ：{number} MB",
    ),
    "ru": Language(
        words("файл|папку|страницу|изображение|документ|сообщение|программу|окно|список|учётную запись"),
        words("открыть|закрыть|сохранить|напечатать|удалить|показать|скрыть|отправить|скопировать|переместить"),
        "{verb} {noun}",
        "Вы можете {verb} {noun}.",
        "Нажмите «{command}».",
        "Можно {verb} {noun}?",
        "Нажмите {noun}.",
        "Размер: {number} МБ",
    ),
    "zh": Language(
        words("文件|文件夹|页面|图片|文档|消息|程序|窗口|列表|账户"),
        words("打开|关闭|保存|打印|删除|显示|隐藏|发送|复制|移动"),
        "{verb}{noun}",
        "您可以{verb}{noun}。",
        "单击“{command}”。",
        "可以{verb}{noun}吗？",
        "单击{noun}。",
        "大小：{number} MB",
    ),
}


def sizes(count: int) -> Iterator[str]:
    """Messages with numbers that every language writes alike."""
    yield from (str(7 * each + 3) for each in range(count))


def message(language: Language, kind: str, verb: int, noun: int) -> str:
    parts = {"verb": language.verbs[verb], "noun": language.nouns[noun]}
    command = capital(language.command.format(**parts))
    return command if kind == "command" else capital(getattr(language, kind).format(command=command, **parts))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def pairs(code: str, *, seen: bool) -> list[tuple[str, str]]:
    """Messages in English and another language: those to learn from, or a fifth that is made of the same parts."""
    theirs = LANGUAGES[code]
    made = [
        (message(ENGLISH, kind, verb, noun), message(theirs, kind, verb, noun))
        for at, kind in enumerate(("command", "remark", "quotation", "question"))
        for verb in range(10)
        for noun in range(10)
        if ((verb + 2 * noun + at) % 5 > 0) == seen
    ]
    if seen:
        # What is clicked on has no article in Hebrew.
        made += [
            (ENGLISH.click.format(noun=ours), theirs.click.format(noun=noun.removeprefix("את ")))
            for ours, noun in zip(ENGLISH.nouns, theirs.nouns, strict=True)
        ]
        made += [(ENGLISH.size.format(number=each), theirs.size.format(number=each)) for each in sizes(12)]
    return made
