import type { CommandForms } from './command-forms.ts';

const list = (words: string): string[] => words.split(',').map((word) => word.trim());

export const tamilCommands: CommandForms = {
  others: list('வாடிக்கையாள*, நோயாளி*, அழைப்பவர்*, பயனர்*, அவர்*, முகவர்*, எதிர்முனை*'),
  manner: list(
    'உரையாடல்*, ஸ்கிரிப்ட்*, மரியாதை*, பணிவ*, கனிவ*, தொனி*, வாக்கிய*, கவனமாக*, பதிலுக்காக*, பதிலுக்கு*, உங்கள் வேலை, உங்கள் பணி, உங்கள் நோக்கம், உங்கள் பங்கு',
  ),
  you: list('நீங்க*, உங்க*, தங்கள*, தாங்கள்'),
  begins: list('கேளுங்கள், சொல்லுங்கள்'),
  ends: list('*ுங்கள், *வும், *ாதீர்கள், சொல், கேள், கொடு, பேசு, செய்'),
  duties: list('வேண்டும், *வேண்டும், கூடாது, *க்கூடாது, வேண்டாம்'),
  please: list('தயவுசெய்து, தயவு செய்து'),
  statements: {
    end: list(
      '*கிறது, *றது, *கிறேன், *றேன், *கிறோம், *றோம், *கிறார், *றார்கள், *ட்டது, *ந்தது, *த்தது, *ள்ளது, உள்ளது, வரும், ஆகும், முடியும், சேரும், *க்கும், *வோம், *ப்போம், *வேன், *ப்பேன், *லாம், இல்லை, உண்டு',
    ),
  },
  openers: list('நன்றி*, வணக்கம்*, வரவேற்*, வாழ்த்து*, சரி, நல்லது*, மிக்க*, ஆம், அருமை*'),
  pardons: list('மன்னிக்கவும்*, மன்னித்து*'),
  ask: list('கேட்டறி*, கேட்டுக்*, விசாரி*, தெரிந்துகொள்*'),
  tell: list('விளக்கு*, விளக்க*, நினைவூட்டு*, நினைவுபடுத்து*, தெரிவியுங்கள்'),
  close: list('அழைப்பை முடி*, விடைபெ*, நன்றி கூறி*, நன்றி சொல்*, அழைப்பைத் துண்டி*, அழைப்பை நிறைவு*'),
  drop: list('அவர்களிடம், அவரிடம், அவர்களுக்கு, வாடிக்கையாளரிடம், வாடிக்கையாளருக்கு, நோயாளியிடம், என்று, என'),
  swap: [
    ['அவர்களின்', 'உங்கள்'],
    ['அவர்களது', 'உங்கள்'],
    ['அவரது', 'உங்கள்'],
    ['அவரின்', 'உங்கள்'],
  ],
  thenWords: list('என்றால், எனில்'),
  agrees: list('சம்மதி*, ஒப்புக்கொ*, விருப்ப*, ஆர்வ*'),
  declines: list('மறு*, விருப்பமில்லை, ஆர்வமில்லை'),
};

export const teluguCommands: CommandForms = {
  others: list('కస్టమర్*, వినియోగదారు*, రోగి*, కాలర్*, వారి, వారిని, వారికి, వారితో, వాళ్ళ*, వాళ్ల*, ఆయన*, ఏజెంట్*, బాట్*'),
  manner: list(
    'సంభాషణ*, స్క్రిప్ట్*, మర్యాద*, వినయ*, స్వర*, టోన్*, వాక్య*, శ్రద్ధగా, సమాధానం కోసం*, జవాబు కోసం*, మీ పని, మీ లక్ష్యం, మీ పాత్ర',
  ),
  you: list('మీరు, మీ, మీకు, మిమ్మల్ని, మీతో, మీది'),
  begins: list('అడగండి, చెప్పండి'),
  ends: list('*ండి, *వద్దు, *కు'),
  duties: list('*ాలి, కూడదు, *కూడదు'),
  please: list('దయచేసి'),
  statements: {
    end: list('ఉంది, ఉన్నాయి, ఉన్నాను, ఉన్నారు, *ంది, *ాయి, *ారు, *ాను, *ాము, లేదు, *చ్చు, *స్తాము, *స్తాను, *తుంది, *బడింది'),
  },
  openers: list('ధన్యవాద*, నమస్కార*, నమస్తే*, స్వాగత*, అభినందన*, సరే, మంచిది*, చాలా*, అవును, శుభ*'),
  pardons: list('క్షమించండి*'),
  ask: list('అడిగి, తెలుసుకోండి'),
  tell: list('వివరించండి, గుర్తు చేయండి, తెలపండి'),
  close: list('కాల్ ముగించ*, వీడ్కోలు*, ధన్యవాదాలు చెప్పి*, ధన్యవాదాలు తెలిపి, ధన్యవాదాలు చెప్పండి, కాల్ కట్*'),
  drop: list('వారికి, వారిని, కస్టమర్‌కు, కస్టమర్‌కి, కస్టమర్‌ని, కస్టమర్ కు, అని'),
  swap: [
    ['వారి', 'మీ'],
    ['వాళ్ళ', 'మీ'],
    ['వాళ్ల', 'మీ'],
  ],
  thenWords: list('అయితే'),
  agrees: list('అంగీకరి*, ఒప్పుకు*, ఆసక్తి, సిద్ధం*'),
  declines: list('నిరాకరి*, ఆసక్తి లేక*, ఆసక్తి లేదు, వద్దు'),
};

export const kannadaCommands: CommandForms = {
  others: list('ಗ್ರಾಹಕ*, ರೋಗಿ*, ಬಳಕೆದಾರ*, ಕರೆ ಮಾಡುವವರ*, ಅವರ*, ಅವರು, ಏಜೆಂಟ್*, ಬಾಟ್*'),
  manner: list('ಸಂಭಾಷಣೆ*, ಸ್ಕ್ರಿಪ್ಟ್*, ವಿನಯ*, ಸೌಜನ್ಯ*, ಧ್ವನಿ*, ವಾಕ್ಯ*, ಗಮನವಿಟ್ಟು, ಉತ್ತರಕ್ಕಾಗಿ*, ನಿಮ್ಮ ಕೆಲಸ, ನಿಮ್ಮ ಗುರಿ, ನಿಮ್ಮ ಪಾತ್ರ'),
  you: list('ನೀವು, ನಿಮ್ಮ*, ನಿಮಗೆ, ತಮ್ಮ, ತಾವು'),
  begins: list('ಕೇಳಿ, ಹೇಳಿ, ತಿಳಿಸಿ'),
  ends: list('*ಿ, *ರಿ, *ಡಿ'),
  duties: list('*ಬೇಕು, *ಬಾರದು'),
  please: list('ದಯವಿಟ್ಟು'),
  statements: {
    end: list('ಇದೆ, ಇವೆ, *ದೆ, *ವೆ, *ತ್ತೇನೆ, *ತ್ತೇವೆ, *ತ್ತದೆ, *ತ್ತಾರೆ, *ತ್ತೀರಿ, *ದ್ದೇನೆ, *ದ್ದೇವೆ, *ದ್ದಾರೆ, ಇಲ್ಲ, *ಲ್ಲ, *ಬಹುದು'),
  },
  openers: list('ಧನ್ಯವಾದ*, ನಮಸ್ಕಾರ*, ಸ್ವಾಗತ*, ಅಭಿನಂದನೆ*, ಸರಿ, ಒಳ್ಳೆಯದು*, ತುಂಬಾ*, ಹೌದು, ಶುಭ*'),
  pardons: list('ಕ್ಷಮಿಸಿ*'),
  ask: list('ಕೇಳಿಕೊಳ್ಳಿ, ತಿಳಿದುಕೊಳ್ಳಿ'),
  tell: list('ವಿವರಿಸಿ, ನೆನಪಿಸಿ, ನೆನಪು ಮಾಡಿ'),
  close: list('ಕರೆ ಮುಗಿಸ*, ಕರೆಯನ್ನು ಮುಗಿಸ*, ಕರೆ ಕೊನೆಗೊಳಿಸ*, ಕರೆಯನ್ನು ಕೊನೆಗೊಳಿಸ*, ವಿದಾಯ*, ಧನ್ಯವಾದ ಹೇಳಿ*, ಧನ್ಯವಾದ ತಿಳಿಸಿ'),
  drop: list('ಅವರಿಗೆ, ಗ್ರಾಹಕರಿಗೆ, ರೋಗಿಗೆ, ಎಂದು'),
  swap: [['ಅವರ', 'ನಿಮ್ಮ']],
  thenWords: list('ಎಂದರೆ, ಆದರೆ'),
  agrees: list('ಒಪ್ಪ*, ಆಸಕ್ತಿ, ಸಿದ್ಧ*'),
  declines: list('ನಿರಾಕರಿಸ*, ಬೇಡ, ಆಸಕ್ತಿ ಇಲ್ಲ*'),
};

export const malayCommands: CommandForms = {
  others: list('pelanggan*, pesakit*, pemanggil*, pengguna*, mereka, beliau, dia, ejen*, bot'),
  manner: list(
    'skrip*, perbualan*, nada*, sopan*, ayat*, tunggu jawapan, tugas anda, matlamat anda, peranan anda',
  ),
  you: list('anda, encik, puan, tuan, awak'),
  begins: list(
    'tanya*, beritahu, maklumkan, katakan, ucap*, sampaikan, terangkan, jelaskan, sahkan, semak, dapatkan, ingatkan, tawarkan, jangan, elakkan, gunakan, dengar*, tunggu, bercakap, kekalkan, pastikan, hubungkan, pindahkan, catat*, rekod*, tamatkan, akhiri, akhir sekali, mulakan, ulang*, kira, bandingkan, jawab, layan, pujuk, sentiasa, cuba, minta nama, tolak, galakkan, cadangkan, ikut, jika, kalau',
  ),
  ends: [],
  duties: list('perlu dimaklumkan'),
  please: list('sila, mohon, tolong'),
  statements: {
    begin: list('saya, kami, kita'),
    hold: list(
      'adalah, ialah, akan, telah, sudah, boleh, ada, buka, dibuka, tutup, ditutup, bermula, tidak, percuma',
    ),
  },
  openers: list('terima kasih*, selamat*, hai, helo, tahniah*, baik*, bagus*, ya, jumpa lagi, semoga*'),
  pardons: list('maaf*, minta maaf*'),
  ask: list('minta nama, minta nombor, dapatkan'),
  tell: list('terangkan, jelaskan, ingatkan, sampaikan'),
  close: list(
    'tamatkan panggilan, akhiri panggilan, ucap selamat tinggal, ucapkan selamat tinggal, ucapkan terima kasih, letak telefon',
  ),
  drop: list(
    'kepada pelanggan, kepada mereka, pelanggan bahawa, mereka bahawa, pesakit bahawa, kepada pesakit, bahawa',
  ),
  swap: [['mereka', 'anda']],
  thenWords: list('maka'),
  agrees: list('setuju, bersetuju, berminat'),
  declines: list('menolak, enggan, tidak berminat, tidak setuju'),
};

export const arabicCommands: CommandForms = {
  others: list(
    '*عميل*, *عملاء*, *مريض*, *متصل*, *مستخدم*, لهم, منهم, عنهم, إليهم, معهم, الوكيل, المساعد, الروبوت',
  ),
  manner: list(
    'المحادثة*, نبرة*, مهذب*, بلطف, بأدب, الجمل, جمل*, انتظر الإجابة*, انتظر الرد*, مهمتك, هدفك, دورك, وظيفتك',
  ),
  you: list(
    'لك, لكم, بك, معك, منك, إليك, عليك, لديك, عندك, حضرتك*, أنت, أنتم, يمكنك, *بك, *تك, *حك, *خك, *دك, *رك, *سك, *شك, *صك, *ضك, *طك, *عك, *فك, *قك, *مك, *نك, *هك, *كم',
  ),
  begins: list(
    'اسأل*, إسأل*, استفسر*, أخبر*, أبلغ*, اطلب*, اشكر*, قل, اشرح*, وضح*, أكد, تأكد*, استخدم*, انتظر*, استمع*, لا ت*, تجنب*, سجل*, دون*, اعرض*, قدم*, ذكر*, ذكّر*, حول*, احرص*, تحدث*, تكلم*, كن, ابدأ*, رحب*, احسب*, قارن*, اقترح*, اجمع*, كرر*, أنه*, أنهِ*, اختم*, اعتذر*, حافظ*, اتبع*, أجب*, راجع*, حدد*, صنف*, يجب*, ينبغي*, إذا, في النهاية, ودع*, أظهر*, حاول*, اترك*, تعامل*, بعد ذلك, بعدها, ثم, أولا*, أخير*',
  ),
  ends: [],
  duties: [],
  please: [],
  statements: {
    begin: list(
      'ال*, تم, يوجد, لدينا, هذا, هذه, سوف, سن*, سي*, ست*, سأ*, نود, نحن, أنا, إن, يمكن*, نعمل, يعمل*, يبدأ*, تبدأ*, يستغرق*, كل, جميع, أتصل*, نتصل*, *نا',
    ),
  },
  openers: list(
    'شكر*, مرحب*, أهل*, السلام*, تهان*, مبروك*, حسن*, ممتاز*, رائع*, نعم, طبع*, تفضل*, مع السلامة, إلى اللقاء, يسعدن*, يسرن*, نتمنى*, أتمنى*',
  ),
  pardons: list('عذر*, آسف*, نعتذر*, أعتذر*, نأسف*'),
  ask: list('اسأل*, استفسر*, اطلب*'),
  tell: list('أخبر*, أبلغ*, اشرح*, وضح*, ذكّر*'),
  close: list('أنه المكالمة, أنهِ المكالمة, وأنه المكالمة, إنهاء المكالمة, اختم المكالمة, ودع*, اشكر*'),
  drop: list('العميل أن, العميل بأن, العملاء أن, المريض أن'),
  swap: [],
  thenWords: [],
  agrees: list('وافق*, موافق*, مهتم*'),
  declines: list('رفض*, غير مهتم, غير موافق, لم يوافق'),
};
