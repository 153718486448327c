import type { Wording } from './wording.ts';

export const ODIA: Wording = {
  phrases: {
    idleCheckIn: 'ଆପଣ ଲାଇନରେ ଅଛନ୍ତି କି?',
    idleGoodbye: 'ଆପଣଙ୍କ ସ୍ୱର ଶୁଣାଯାଉନାହିଁ, ତେଣୁ କଲ୍ ଶେଷ କରୁଛି। ନମସ୍କାର।',
    maxLengthGoodbye: 'କ୍ଷମା କରନ୍ତୁ, ଆମର ସମୟ ଶେଷ ହୋଇଗଲା। ଧନ୍ୟବାଦ, ନମସ୍କାର।',
    apology: 'କ୍ଷମା କରନ୍ତୁ, ଟିକେ ଅସୁବିଧା ହେଲା। ଆଉ ଥରେ କହିବେ କି?',
    technicalGoodbye: 'କ୍ଷମା କରନ୍ତୁ, ଯାନ୍ତ୍ରିକ ଅସୁବିଧା ହୋଇଛି। ଦୟାକରି ପରେ ଚେଷ୍ଟା କରନ୍ତୁ। ନମସ୍କାର।',
    didNotCatch: 'କ୍ଷମା କରନ୍ତୁ, ମୁଁ ବୁଝିପାରିଲି ନାହିଁ।',
    oneMoment: 'ଦୟାକରି ଗୋଟିଏ ମୁହୂର୍ତ୍ତ ଅପେକ୍ଷା କରନ୍ତୁ।',
  },
  backchannels: ['ହଁ', 'ହୁଁ', 'ଆଚ୍ଛା', 'ଠିକ', 'ଠିକ ଅଛି', 'ଠିକ୍ ଅଛି', 'ଓକେ', 'କୁହନ୍ତୁ', 'han', 'achha', 'thik achhi'],
  farewells: ['ଧନ୍ୟବାଦ', 'ନମସ୍କାର', 'ବାଏ', 'dhanyabad', 'namaskar'],
  greetings: ['ହେଲୋ', 'ହାଲୋ', 'ନମସ୍କାର', 'କୁହନ୍ତୁ', 'namaskar', 'kuhantu'],
  shortAnswers: ['ହଁ', 'ନା', 'ନାହିଁ', 'ଠିକ ଅଛି', 'ଠିକ୍ ଅଛି', 'ଜାଣିନାହିଁ', 'han', 'na', 'nahin'],
};
