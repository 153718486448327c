import type { Catalogue } from '../catalogue.ts';

export const WORDS: Catalogue = {
  'First run': 'पहली बार',
  'This installation has an owner': 'इस इंस्टॉलेशन का मालिक है',
  'The link worked once. Other people join by invitation.': 'लिंक एक बार चला। अन्य लोग आमंत्रण से जुड़ते हैं।',
  'Go to sign in': 'साइन इन पर जाएँ',
  'Open the printed link': 'दिखाया गया लिंक खोलें',
  '{code} prints a link to this page with a secret after the {code2}. Only someone who can read that output can create the first owner. The link works for 24 hours; {code3} prints a new one.':
    '{code} इस पेज का लिंक दिखाता है, जिसमें {code2} के बाद एक सीक्रेट होता है। जो वह आउटपुट पढ़ सकता है, वही पहला मालिक बना सकता है। लिंक 24 घंटे चलता है; {code3} नया लिंक दिखाता है।',
  'Create the first owner': 'पहला मालिक बनाएँ',
  'You will own every workspace of this installation that has no owner.':
    'इस इंस्टॉलेशन के हर बिना मालिक वाले वर्कस्पेस के आप मालिक होंगे।',
  'Create owner and sign in': 'मालिक बनाएँ और साइन इन करें',
  'Open the whole link': 'पूरा लिंक खोलें',
  'The part of the link after the # is missing. Copy it from the message again.':
    'लिंक में # के बाद का भाग नहीं है। संदेश से फिर कॉपी करें।',
  'Ask an owner of the workspace for a new link.': 'वर्कस्पेस के मालिक से नया लिंक माँगें।',
  'Join {workspace}': '{workspace} से जुड़ें',
  'The invitation is for {email}. {NOTES}': 'आमंत्रण {email} के लिए है। {NOTES}',
  'Sign in as {email}': '{email} के रूप में साइन इन करें',
  Join: 'जुड़ें',
  'The password is set': 'पासवर्ड सेट हो गया',
  'Set a new password': 'नया पासवर्ड सेट करें',
  'At least 10 characters. All your sessions end.': 'कम से कम 10 अक्षर। आपके सभी सत्र समाप्त होते हैं।',
  'Set the password': 'पासवर्ड सेट करें',
  'This installation has no account yet. Open the link that {code} prints to create the first owner.':
    'इस इंस्टॉलेशन का अभी कोई खाता नहीं है। पहला मालिक बनाने के लिए {code} से मिला लिंक खोलें।',
  'You will be an owner: you manage members, the API key and everything else.':
    'आप मालिक होंगे: सदस्य, API कुंजी और बाकी सब सँभालेंगे।',
  'You will be a manager: you change assistants and campaigns and place calls.':
    'आप मैनेजर होंगे: सहायक और अभियान बदलेंगे और कॉल करेंगे।',
  'You will be a viewer: you see everything and change nothing.': 'आप व्यूअर होंगे: सब देखेंगे और कुछ नहीं बदलेंगे।',
};
