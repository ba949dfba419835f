"""What people call the columns with the texts and the labels, in twenty languages.

A name counts by its rank: a column that is called ``text`` holds the texts, one that is called ``title`` only if there
is nothing better.  Case, accents, spaces and punctuation do not count.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["LABEL_NAMES", "TEXT_NAMES", "is_known_name", "plain_name"]

# Each string is a rank, one language a line: English, Chinese (simplified and traditional), Spanish, Hindi, Arabic,
# Portuguese, Russian, Japanese, German, French, Italian, Korean, Dutch, Turkish, Indonesian, Polish, Bengali, Urdu,
# Persian, Vietnamese.
_TEXTS = (
    """text texts
    文本 正文 文字
    texto textos
    पाठ टेक्स्ट
    نص النص نصوص
    текст тексты
    テキスト 本文 文章
    texte textes
    testo testi
    텍스트 본문
    tekst teksten
    metin metinler
    teks
    teksty
    টেক্সট পাঠ্য
    متن عبارت
    متن
    vănbản""",
    """sentence review document message comment tweet utterance content body article feedback
    sentences reviews documents messages comments tweets utterances articles
    句子 评论 評論 文档 文檔 消息 訊息 留言 推文 内容 內容 文章
    frase oración reseña opinión documento mensaje comentario tuit contenido cuerpo artículo
    वाक्य समीक्षा संदेश टिप्पणी दस्तावेज़ सामग्री लेख
    جملة مراجعة رسالة الرسالة تعليق التعليق وثيقة تغريدة محتوى المحتوى مقال
    sentença avaliação resenha mensagem comentário tuíte conteúdo corpo artigo
    предложение отзыв документ сообщение комментарий твит содержание статья
    文 レビュー 文書 メッセージ コメント ツイート 記事 口コミ
    satz sätze rezension dokument nachricht kommentar inhalt artikel beitrag
    phrase avis critique commentaire contenu corps
    recensione messaggio commento contenuto corpo articolo
    문장 리뷰 문서 메시지 댓글 코멘트 트윗 내용 기사
    zin recensie bericht opmerking reactie inhoud
    cümle inceleme belge mesaj yorum içerik makale
    kalimat ulasan dokumen pesan komentar konten isi
    zdanie opinia recenzja dokument wiadomość komentarz treść artykuł wpis
    বাক্য পর্যালোচনা বার্তা মন্তব্য নথি বিষয়বস্তু নিবন্ধ
    جملہ تبصرہ پیغام دستاویز مواد مضمون
    جمله نظر پیام دیدگاه سند محتوا مقاله
    câu đánhgiá tinnhắn bìnhluận tàiliệu nộidung bàiviết""",
    """reviewtext reviewbody fulltext rawtext cleantext messagetext commenttext tweettext
    评论内容 評論內容 消息内容 訊息內容 全文
    textocompleto textodelmensaje textodareseña textocompleto
    レビュー本文 コメント本文 メッセージ本文
    nachrichtentext kommentartext volltext rezensionstext
    texteintégral textedumessage texteducommentaire""",
    """doc post question query description abstract paragraph passage email sms
    描述 问题 問題 摘要 段落 邮件 郵件
    descripción pregunta consulta resumen párrafo correo
    विवरण प्रश्न
    وصف الوصف سؤال
    descrição pergunta consulta resumo parágrafo
    описание вопрос запрос абзац письмо
    説明 質問 要約
    beschreibung frage anfrage absatz
    requête résumé paragraphe courriel
    descrizione domanda riassunto paragrafo
    설명 질문 요약
    omschrijving beschrijving vraag samenvatting
    açıklama soru özet
    deskripsi pertanyaan ringkasan
    opis pytanie zapytanie streszczenie akapit
    বিবরণ প্রশ্ন
    تفصیل سوال
    توضیحات پرسش
    môtả câuhỏi tómtắt""",
    """title headline subject summary name
    标题 標題 主题 主題 名称 名稱
    título titular asunto nombre
    शीर्षक नाम
    عنوان العنوان اسم
    assunto nome
    заголовок тема название
    タイトル 件名 題名 名前
    titel überschrift betreff
    titre objet sujet nom
    titolo oggetto
    제목 이름
    onderwerp naam
    başlık ad
    judul nama
    tytuł temat nazwa
    শিরোনাম নাম
    عنوان نام
    tiêuđề tên""",
)
_LABELS = (
    """label labels
    标签 標籤 標簽
    etiqueta etiquetas
    लेबल
    تسمية التسمية وسم
    rótulo rótulos
    метка метки
    ラベル
    etikett
    étiquette étiquettes libellé
    etichetta etichette
    라벨 레이블
    etiket
    etykieta etykiety
    লেবেল
    لیبل
    برچسب
    nhãn""",
    """class category target sentiment intent topic tag y
    classes categories sentiments intents topics tags
    类别 類別 分类 分類 情感 意图 意圖 主题 主題 类 類
    clase categoría sentimiento intención tema
    वर्ग श्रेणी भावना विषय
    فئة الفئة صنف تصنيف التصنيف مشاعر موضوع
    classe categoria sentimento intenção tópico
    класс категория тональность сентимент намерение тема
    クラス カテゴリ カテゴリー 感情 意図 トピック
    klasse kategorie stimmung absicht thema
    catégorie intention thème
    intento argomento
    클래스 범주 카테고리 분류 감정 감성 의도 주제
    categorie intentie onderwerp
    sınıf kategori duygu niyet konu
    kelas sentimen niat topik
    klasa kategoria sentyment nastrój intencja
    শ্রেণী শ্রেণি বিভাগ অনুভূতি বিষয়
    زمرہ درجہ جذبات موضوع
    دسته طبقه کلاس احساس
    lớp danhmục thểloại chủđề cảmxúc ýđịnh""",
    """labelname labeltext classname classlabel categoryname annotation gold goldlabel
    类别名称 類別名稱 标注 標註
    anotación nombredecategoría
    annotation kategoriename klassenname
    anotação
    разметка
    アノテーション""",
    """polarity emotion genre stance type kind group department language lang
    类型 類型 情绪 情緒 种类 種類 部门 部門 语言 語言
    polaridad emoción género tipo grupo departamento idioma
    प्रकार भाषा
    نوع النوع لغة
    polaridade emoção gênero
    полярность эмоция жанр тип вид группа отдел язык
    種類 言語 部署 ジャンル
    polarität gefühl art typ gruppe abteilung sprache rubrik
    polarité émotion groupe langue rubrique
    polarità emozione genere gruppo reparto lingua
    유형 종류 부서 언어
    soort groep afdeling taal
    tür tip grup dil
    jenis bahasa
    typ rodzaj grupa dział język
    ধরন ভাষা
    قسم زبان
    نوع گروه
    loại ngônngữ""",
    """rating stars score overall spam isspam toxic author
    评分 評分 星级 星級 作者
    puntuación estrellas valoración autor
    रेटिंग लेखक
    تقييم مؤلف
    estrelas nota
    оценка рейтинг автор
    評価 星 著者
    bewertung sterne note autor
    étoiles auteur
    valutazione stelle autore
    평점 별점 저자
    beoordeling sterren auteur
    puan yıldız yazar
    peringkat bintang penulis
    ocena gwiazdki autor
    রেটিং লেখক
    درجہبندی مصنف
    امتیاز نویسنده
    xếphạng sao tácgiả""",
)


def plain_name(name: str) -> str:
    """Return a name in which only letters and digits count: in lower case, without accents.

    Examples
    --------
    >>> plain_name("Review Text"), plain_name("CATÉGORIE"), plain_name("ﾗﾍﾞﾙ") == plain_name("ラベル")
    ('reviewtext', 'categorie', True)
    """
    folded = unicodedata.normalize("NFKC", name).casefold().replace("ı", "i")
    apart = unicodedata.normalize("NFD", folded)
    return re.sub(r"[\W_]+", "", apart)


def _ranks(names: tuple[str, ...]) -> dict[str, int]:
    """The rank of each name; where a name has two, the better."""
    ranks: dict[str, int] = {}
    for rank, row in enumerate(names):
        for name in row.split():
            ranks.setdefault(plain_name(name), rank)
    return ranks


TEXT_NAMES = _ranks(_TEXTS)
"""The rank of a plain name for a column of texts, from 0."""
LABEL_NAMES = _ranks(_LABELS)
"""The same for a column of labels."""


def is_known_name(name: str) -> bool:
    """Whether a column of texts or labels may be called so.

    Examples
    --------
    >>> is_known_name("Kategorie"), is_known_name("Export of 12 March")
    (True, False)
    """
    plain = plain_name(name)
    return plain in TEXT_NAMES or plain in LABEL_NAMES
