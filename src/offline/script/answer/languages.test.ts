import type { Language } from '@callwright/language';
import { describe, expect, it } from 'vitest';
import { agentOfSettings } from '../test-call.ts';

/** FAQs of one language, questions in other words with a part of the right answer, and one without an answer. */
const ASKED: readonly {
  readonly language: Language;
  readonly faq: string;
  readonly answered: readonly (readonly [question: string, part: string])[];
  readonly unanswered: string;
}[] = [
  {
    language: 'hi-IN',
    faq: 'क्लिनिक का समय क्या है? क्लिनिक सुबह नौ बजे से शाम छह बजे तक खुला है।\nक्लिनिक कहाँ है? हम मुख्य बाज़ार में हैं।\nक्या पार्किंग है? हाँ, इमारत के पीछे पार्किंग मुफ़्त है।',
    answered: [
      ['आप कब तक खुले रहते हैं', 'नौ बजे'],
      ['आपका पता क्या है', 'मुख्य बाज़ार'],
      ['गाड़ी खड़ी करने की जगह है क्या', 'इमारत के पीछे'],
    ],
    unanswered: 'दाँत सफ़ेद करने का कितना लगेगा',
  },
  {
    language: 'ta-IN',
    faq: 'பார்க்கிங் வசதி உள்ளதா? ஆம், கட்டிடத்தின் பின்னால் பார்க்கிங் உள்ளது.\nகடை எப்போது திறக்கும்? காலை ஒன்பது மணிக்கு திறக்கும்.',
    answered: [
      ['வண்டி நிறுத்த இடம் இருக்கா', 'பின்னால்'],
      ['எத்தனை மணிக்கு திறப்பீர்கள்', 'ஒன்பது மணிக்கு'],
    ],
    unanswered: 'நாய் அனுமதி உண்டா',
  },
  {
    language: 'te-IN',
    faq: 'పార్కింగ్ ఉందా? అవును, భవనం వెనుక పార్కింగ్ ఉంది.\nడెలివరీ ఛార్జీ ఎంత? డెలివరీ ఉచితం.',
    answered: [
      ['కారు పెట్టడానికి పార్కింగ్ స్థలం ఉందా', 'వెనుక'],
      ['డెలివరీకి ఎంత', 'ఉచితం'],
    ],
    unanswered: 'కుక్కలను తీసుకురావచ్చా',
  },
  {
    language: 'bn-IN',
    faq: 'দোকান কখন খোলে? দোকান সকাল দশটায় খোলে।\nগাড়ি রাখার জায়গা আছে? হ্যাঁ, বাড়ির পিছনে পার্কিং আছে।',
    answered: [
      ['আপনারা কখন খোলেন', 'দশটায়'],
      ['পার্কিং আছে কি', 'পিছনে'],
    ],
    unanswered: 'কুকুর আনা যাবে কি',
  },
  {
    language: 'mr-IN',
    faq: 'दुकान कधी उघडते? दुकान सकाळी दहा वाजता उघडते.\nपार्किंग आहे का? हो, इमारतीच्या मागे पार्किंग आहे.',
    answered: [
      ['तुम्ही किती वाजता उघडता', 'दहा वाजता'],
      ['गाडी लावायला पार्किंग आहे का', 'मागे'],
    ],
    unanswered: 'कुत्रा आणता येईल का',
  },
  {
    language: 'kn-IN',
    faq: 'ಅಂಗಡಿ ಯಾವಾಗ ತೆರೆಯುತ್ತದೆ? ಬೆಳಿಗ್ಗೆ ಹತ್ತು ಗಂಟೆಗೆ ತೆರೆಯುತ್ತದೆ.\nಪಾರ್ಕಿಂಗ್ ಇದೆಯಾ? ಹೌದು, ಕಟ್ಟಡದ ಹಿಂದೆ ಪಾರ್ಕಿಂಗ್ ಇದೆ.',
    answered: [
      ['ನೀವು ಎಷ್ಟು ಗಂಟೆಗೆ ತೆರೆಯುತ್ತೀರಿ', 'ಹತ್ತು ಗಂಟೆಗೆ'],
      ['ಕಾರು ನಿಲ್ಲಿಸಲು ಪಾರ್ಕಿಂಗ್ ಇದೆಯಾ', 'ಹಿಂದೆ'],
    ],
    unanswered: 'ನಾಯಿ ತರಬಹುದಾ',
  },
  {
    language: 'gu-IN',
    faq: 'દુકાન ક્યારે ખુલે છે? દુકાન સવારે દસ વાગ્યે ખુલે છે.\nપાર્કિંગ છે? હા, મકાનની પાછળ પાર્કિંગ છે.',
    answered: [
      ['તમે કેટલા વાગ્યે ખોલો છો', 'દસ વાગ્યે'],
      ['ગાડી પાર્ક કરવાની જગ્યા છે', 'પાછળ'],
    ],
    unanswered: 'કૂતરો લાવી શકાય',
  },
  {
    language: 'pa-IN',
    faq: 'ਦੁਕਾਨ ਕਦੋਂ ਖੁੱਲ੍ਹਦੀ ਹੈ? ਦੁਕਾਨ ਸਵੇਰੇ ਦਸ ਵਜੇ ਖੁੱਲ੍ਹਦੀ ਹੈ।\nਪਾਰਕਿੰਗ ਹੈ? ਹਾਂ, ਇਮਾਰਤ ਦੇ ਪਿੱਛੇ ਪਾਰਕਿੰਗ ਹੈ।',
    answered: [
      ['ਤੁਸੀਂ ਕਿੰਨੇ ਵਜੇ ਖੁੱਲ੍ਹਦੇ ਹੋ', 'ਦਸ ਵਜੇ'],
      ['ਗੱਡੀ ਪਾਰਕ ਕਰਨ ਦੀ ਥਾਂ ਹੈ', 'ਪਿੱਛੇ'],
    ],
    unanswered: 'ਕੁੱਤਾ ਲਿਆ ਸਕਦੇ ਹਾਂ',
  },
  {
    language: 'od-IN',
    faq: 'ଦୋକାନ କେତେବେଳେ ଖୋଲେ? ଦୋକାନ ସକାଳ ଦଶଟାରେ ଖୋଲେ।\nପାର୍କିଂ ଅଛି କି? ହଁ, ଘର ପଛରେ ପାର୍କିଂ ଅଛି।',
    answered: [
      ['କେତେଟାରେ ଖୋଲିବ', 'ଦଶଟାରେ'],
      ['ଗାଡ଼ି ରଖିବା ପାଇଁ ପାର୍କିଂ ଅଛି କି', 'ପଛରେ'],
    ],
    unanswered: 'କୁକୁର ଆଣିପାରିବି କି',
  },
  {
    language: 'ms-MY',
    faq: 'Bila kedai dibuka? Kedai dibuka dari pukul sembilan pagi.\nAda tempat letak kereta? Ya, di belakang bangunan.\nBerapa kos penghantaran? Penghantaran percuma.',
    answered: [
      ['pukul berapa awak buka', 'pukul sembilan'],
      ['boleh saya parkir di sana', 'di belakang'],
      ['berapa ringgit untuk hantar barang', 'percuma'],
    ],
    unanswered: 'boleh bawa kucing',
  },
  {
    language: 'zh-CN',
    faq: '你们几点开门？我们每天上午九点开门。\n有停车场吗？有，在楼后面。\n可以退款吗？七天内可以退款。',
    answered: [
      ['什么时候营业', '九点'],
      ['我可以在那里停车吗', '楼后面'],
      ['能不能退钱', '七天内'],
    ],
    unanswered: '可以带狗吗',
  },
  {
    language: 'my-MM',
    faq: 'ဆိုင်ဘယ်အချိန်ဖွင့်လဲ? ဆိုင်ကို မနက်ကိုးနာရီမှာ ဖွင့်ပါတယ်။\nကားရပ်နားစရာရှိလား? အဆောက်အအုံနောက်မှာ ကားရပ်နိုင်ပါတယ်။',
    answered: [
      ['ဘယ်တော့ဖွင့်လဲ', 'ကိုးနာရီ'],
      ['ကားရပ်လို့ရလား', 'နောက်မှာ'],
    ],
    unanswered: 'ခွေးခေါ်လာလို့ရလား',
  },
  {
    language: 'ar-AE',
    faq: 'متى تفتحون؟ نفتح كل يوم من الساعة التاسعة صباحا.\nهل يوجد موقف سيارات؟ نعم، الموقف خلف المبنى.\nكم تكلفة التوصيل؟ التوصيل مجاني.',
    answered: [
      ['ما هي مواعيد العمل لديكم', 'التاسعة'],
      ['أين أوقف سيارتي', 'خلف المبنى'],
      ['بكم الشحن', 'مجاني'],
    ],
    unanswered: 'هل يمكن إحضار الكلب',
  },
];

describe.each(ASKED)('questions in $language', ({ language, faq, answered, unanswered }) => {
  const { answerTo } = agentOfSettings({ language, faq });

  it.each(answered)('"%s" is answered', (question, part) => {
    expect(answerTo(question) ?? '').toContain(part);
  });

  it('get no fact when there is none', () => {
    expect(answerTo(unanswered)).toBeNull();
  });
});
