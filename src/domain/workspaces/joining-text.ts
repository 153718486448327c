import { isLanguage, type Language } from '@callwright/language';
import { declaredSettings } from '../../store/json/workspace-settings.ts';
import { readSettings } from '../../store/tenants/settings.ts';
import type { Db } from '../../store/database.ts';

/** Spoken where the workspace has no text of its own for the language. */
const PRESETS: Readonly<Record<Language, string>> = {
  'en-US': 'A colleague is joining this call.',
  'en-GB': 'A colleague is joining this call.',
  'en-AU': 'A colleague is joining this call.',
  'en-IN': 'A colleague is joining this call.',
  'hi-IN': 'एक सहकर्मी इस कॉल में शामिल हो रहे हैं।',
  'ta-IN': 'ஒரு சக ஊழியர் இந்த அழைப்பில் இணைகிறார்.',
  'te-IN': 'ఒక సహోద్యోగి ఈ కాల్‌లో చేరుతున్నారు.',
  'bn-IN': 'একজন সহকর্মী এই কলে যোগ দিচ্ছেন।',
  'mr-IN': 'एक सहकारी या कॉलमध्ये सामील होत आहेत.',
  'kn-IN': 'ಒಬ್ಬ ಸಹೋದ್ಯೋಗಿ ಈ ಕರೆಗೆ ಸೇರುತ್ತಿದ್ದಾರೆ.',
  'ms-MY': 'Seorang rakan sekerja sedang menyertai panggilan ini.',
  'zh-CN': '一位同事正在加入通话。',
  'od-IN': 'ଜଣେ ସହକର୍ମୀ ଏହି କଲରେ ଯୋଗ ଦେଉଛନ୍ତି।',
  'pa-IN': 'ਇੱਕ ਸਹਿਕਰਮੀ ਇਸ ਕਾਲ ਵਿੱਚ ਸ਼ਾਮਲ ਹੋ ਰਹੇ ਹਨ।',
  'my-MM': 'လုပ်ဖော်ကိုင်ဖက်တစ်ဦး ဤဖုန်းခေါ်ဆိုမှုသို့ ပါဝင်နေပါသည်။',
  'gu-IN': 'એક સહકર્મી આ કૉલમાં જોડાઈ રહ્યા છે.',
  'ar-AE': 'ينضم زميل إلى هذه المكالمة.',
};

/** What the agent says before a person joins or listens to a call in this language; null: the workspace announces nobody. */
export async function joiningText(db: Db, workspaceId: string, language: string): Promise<string | null> {
  const { announcesPeople, joiningTexts } = declaredSettings(await readSettings(db, workspaceId));
  if (!announcesPeople) return null;
  const own = joiningTexts.find((text) => text.language === language);
  return own?.text ?? PRESETS[isLanguage(language) ? language : 'en-US'];
}
