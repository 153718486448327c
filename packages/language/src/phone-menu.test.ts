import { describe, expect, it } from 'vitest';
import { chosenKey, menuSteps } from './phone-menu.ts';

describe('the key of an option', () => {
  it.each([
    ['for sales press one for support press two', 'support', '2'],
    ['For billing, press 1. For outages, press 2. To speak to an agent, press 0.', 'agent', '0'],
    ['press 1 for sales, press 2 for the service department', 'service', '2'],
    ['press one for appointments or two for prescriptions', 'appointment', '1'],
    ['हिंदी के लिए एक दबाएं। अंग्रेज़ी के लिए दो दबाएं।', 'अंग्रेज़ी', '2'],
    ['untuk bahasa melayu tekan satu untuk pegawai tekan dua', 'pegawai', '2'],
    ['tekan satu untuk jualan tekan dua untuk pegawai', 'jualan', '1'],
    ['விற்பனைக்கு ஒன்று அழுத்தவும் சேவைக்கு இரண்டு அழுத்தவும்', 'சேவைக்கு', '2'],
    ['అమ్మకాల కోసం ఒకటి నొక్కండి సేవల కోసం రెండు నొక్కండి', 'సేవల', '2'],
    ['বিক্রয়ের জন্য এক চাপুন সেবার জন্য দুই চাপুন', 'সেবার', '2'],
    ['销售请按一，客服请按二', '客服', '2'],
    ['销售请按1，客服请按2', '销售', '1'],
    ['للمبيعات اضغط واحد للدعم اضغط اثنين', 'الدعم', '2'],
    ['ಮಾರಾಟಕ್ಕಾಗಿ ೧ ಒತ್ತಿ ಸೇವೆಗಾಗಿ ೨ ಒತ್ತಿ', 'ಸೇವೆಗಾಗಿ', '2'],
  ])('in “%s” for %s is %s', (menu, option, key) => expect(chosenKey(menu, option)).toBe(key));

  it('is unknown while the menu has not named the option', () => {
    expect(chosenKey('for sales press one', 'billing')).toBeNull();
    expect(chosenKey('welcome to the bank', 'billing')).toBeNull();
  });
});

describe('the way through a menu in a task', () => {
  it.each([
    ['If a phone menu answers, press 2.', [{ keys: '2' }]],
    ['If an IVR answers, press 1 then 3, and confirm.', [{ keys: '1' }, { keys: '3' }]],
    ['In the menu enter 4521#.', [{ keys: '4521#' }]],
    ['If a menu answers, choose billing, then press 0.', [{ option: 'billing' }, { keys: '0' }]],
    ['When an automated system answers, select the option for "new orders".', [{ option: 'new orders' }]],
    ['अगर फ़ोन मेनू आए, तो 2 दबाएं, फिर 1 दबाएं।', [{ keys: '2' }, { keys: '1' }]],
    ['मेन्यू आल्यास २ दाबा.', [{ keys: '2' }]],
    ['যদি মেনু আসে, ৩ চাপুন।', [{ keys: '3' }]],
    ['மெனு வந்தால் 4 அழுத்தவும்.', [{ keys: '4' }]],
    ['మెనూ వస్తే 2 నొక్కండి.', [{ keys: '2' }]],
    ['ಮೆನು ಬಂದರೆ 2 ಒತ್ತಿ.', [{ keys: '2' }]],
    ['મેનુ આવે તો 2 દબાવો.', [{ keys: '2' }]],
    ['ਜੇ ਮੀਨੂ ਆਵੇ ਤਾਂ 2 ਦਬਾਓ।', [{ keys: '2' }]],
    ['ମେନୁ ଆସିଲେ 2 ଦବାନ୍ତୁ।', [{ keys: '2' }]],
    ['Jika menu telefon menjawab, tekan 2, kemudian pilih "jualan".', [{ keys: '2' }, { option: 'jualan' }]],
    ['如果是语音菜单，先按2，然后选择“客服”。', [{ keys: '2' }, { option: '客服' }]],
    ['မီနူး ဖြေလျှင် ၂ ကို နှိပ်ပါ။', [{ keys: '2' }]],
    ['إذا أجابت قائمة صوتية، اضغط 2.', [{ keys: '2' }]],
  ])('“%s”', (task, steps) => expect(menuSteps(task)).toEqual(steps));

  it('is empty for keys that the callee presses and for tasks without a menu', () => {
    expect(menuSteps('Ask them to press 1 to confirm. Choose a slot.')).toEqual([]);
    expect(menuSteps('पुष्टि के लिए उनसे 1 दबाने को कहें।')).toEqual([]);
    expect(menuSteps('मेनू में 12 व्यंजन हैं।')).toEqual([]);
    expect(menuSteps('')).toEqual([]);
  });
});
