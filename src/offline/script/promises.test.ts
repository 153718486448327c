import { expect, it } from 'vitest';
import { LANGUAGES } from '@callwright/language';
import { wordingFor } from './wording.ts';

/** Words by which a sentence promises that somebody calls back, follows up or gets in touch, in every language. */
const PROMISES =
  /follow up|call you|get in touch|get back to you|contact you|سيتواصل|الاتصال بك|ফোন করবেন|যোগাযোগ করবে|ફોન કરશે|સંપર્ક કરશે|संपर्क करेगी|कॉल करवाऊँगी|ಕರೆ ಮಾಡುತ್ತಾರೆ|ಸಂಪರ್ಕಿಸುತ್ತದೆ|फोन करेल|संपर्क साधेल|menghubungi anda|ပြန်ဖုန်းဆက်ပါမယ်|ပြန်ဆက်သွယ်ပါမယ်|ଫୋନ୍ କରିବେ|ଯୋଗାଯୋଗ କରିବ|ਫ਼ੋਨ ਕਰੇਗਾ|ਸੰਪਰਕ ਕਰੇਗੀ|திரும்ப அழைப்பார்|தொடர்பு கொள்ளும்|కాల్ చేస్తారు|సంప్రదిస్తుంది|回电话。|与您联系/u;

/** Lines of a callback that the agent schedules, and of an opt-out that it records. */
const KEPT = new Set(['askCallback', 'callbackNoted', 'optOut']);

it.each(LANGUAGES)('no line in %s promises what nothing keeps', (language) => {
  const { script, conversation } = wordingFor(language);
  const lines = Object.entries(script.say).flatMap(([name, said]) => (KEPT.has(name) ? [] : said));
  expect(
    [...lines, ...Object.values(conversation.phrases).flat()].filter((line) => PROMISES.test(line)),
  ).toEqual([]);
  expect(script.say.cannotAnswer.length + script.say.noPerson.length).toBeGreaterThanOrEqual(2);
});
