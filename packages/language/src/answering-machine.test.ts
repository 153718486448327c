import { describe, expect, it } from 'vitest';
import { MACHINE_PHRASES, machineKind, speakerCue } from './answering-machine.ts';

describe('phrases of answering machines', () => {
  it('classifies every phrase given to recognisers as a machine’s', () => {
    for (const phrase of MACHINE_PHRASES) expect([phrase, machineKind(phrase)]).not.toEqual([phrase, null]);
  });

  it.each([
    ['मेलबॉक्स भर गया है', 'full'],
    ['મેલબોક્સ ભરાઈ ગયું છે', 'full'],
    ['মেলবক্স ভরে গেছে', 'full'],
    ['மெயில்பாக்ஸ் நிரம்பிவிட்டது', 'full'],
    ['మెయిల్‌బాక్స్ నిండిపోయింది', 'full'],
    ['ಮೇಲ್ ಬಾಕ್ಸ್ ತುಂಬಿದೆ', 'full'],
    ['对方信箱已满，无法留言', 'full'],
    ['peti suara yang anda hubungi telah penuh', 'full'],
    ['صندوق البريد الصوتي ممتلئ', 'full'],
    ['ମେଲ ବକ୍ସ ଭରିଯାଇଛି', 'full'],
    ['ଆପଣଙ୍କ କଲ୍ ଆମ ପାଇଁ ଗୁରୁତ୍ୱପୂର୍ଣ୍ଣ', 'hold'],
    ['သင့်အမည်နှင့် ဖုန်းဆက်ရသည့် အကြောင်းရင်းကို ပြောပါ', 'screening'],
    ['သင့်ဖုန်းခေါ်ဆိုမှုသည် အရေးကြီးပါသည်', 'hold'],
    ['at the tone please say your name', 'screening'],
    ['after the beep say your name and your message', 'screening'],
    ['at the tone please record your message', 'voicemail'],
    ['nobody is available to take your call at the moment', 'voicemail'],
    ['pressed our for help or pound to exit', 'menu'],
    ['key in your code followed by the hash key', 'menu'],
    ['say or enter your date of birth', 'menu'],
    ['hello i am the virtual assistant of the clinic', 'menu'],
    ['the cellular customer you have called is out of reach', 'voicemail'],
    ['this number has been disconnected', 'voicemail'],
    ['all circuits are busy now', 'voicemail'],
    ['your call could not be completed', 'voicemail'],
    ['im out of town and cant come to the phone', 'voicemail'],
    ['the number you called does not accept calls from anonymous callers', 'screening'],
    ['all calls to this extension are screened', 'screening'],
  ])('classifies “%s” as %s', (text, kind) => expect(machineKind(text)).toBe(kind));

  it.each([
    'hello',
    'yes this is he',
    'who is this',
    'why are you calling',
    'may i ask who is calling please',
    'good morning riverside dental this is anna how may i help you',
    'i am busy can you call me later',
    'he is not here right now can i take a message',
    'nobody is available to take your call can i help you with something',
    'nobody is available today',
    'i gave a pound to charity',
    'leave me alone',
    'please do not call me again',
    'i am not available tomorrow',
    'what is your name',
    'um hi mom cant come to the phone right now who are you',
    'im hi dad cant come to the phone',
    'are you a virtual assistant',
    'is this an automated assistant',
    'what is the number you are calling from',
    'which customer are you calling about',
    'i do not accept calls from unknown numbers',
    'my number has changed',
    'नमस्ते कौन बोल रहा है',
  ])('does not classify as a machine: %s', (text) => expect(machineKind(text)).toBeNull());

  it.each([
    ['please hold while i try extension nine', false],
    ['please hold while we try to connect you', true],
    ['please wait while i connect your call', true],
    ['hello please hold while i connect your call', false],
    ['one moment please while i connect you', false],
  ])('of “%s” says whether an exchange begins so: %s', (text, is) =>
    expect(speakerCue(text).isExchange).toBe(is),
  );
});
