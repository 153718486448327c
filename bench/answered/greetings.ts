/** What answers a call. All but `person` are machines. */
export type AnsweredBy = 'person' | 'voicemail' | 'menu' | 'hold' | 'screening' | 'announcement';

export interface Greeting {
  readonly by: AnsweredBy;
  readonly text: string;
}

const of = (by: AnsweredBy, texts: readonly string[]): Greeting[] => texts.map((text) => ({ by, text }));

/** The author of these greetings had not read the rules that judge them. Do not tune the rules to these sentences. */
export const FIRST_SET: readonly Greeting[] = [
  ...of('person', [
    'Hello?',
    'Yeah?',
    'Hi, this is Marcus.',
    'Anderson residence, who is calling please?',
    'Good morning, Baker and Sons, Julie speaking. How can I help you?',
    'Hello, hello? I can barely hear you, hang on, let me go outside.',
    'Hold on a second, I just have to turn the radio down.',
    'Thank you for calling Lakeside Veterinary Clinic, this is Megan, how may I direct your call?',
    "Hi, you've reached the front desk, this is Tom. What can I do for you?",
    "Doctor Patel's office, can you hold for one moment please?",
    'Who is this?',
    "Yes, speaking. What's this about?",
    "Sorry, he's not in right now, can I take a message?",
    "She's in a meeting at the moment. Would you like me to have her call you back?",
    'Hey, sorry, I am driving, can you call me back in like ten minutes?',
    'Thanks for calling Pizza Palace, will this be for pickup or delivery?',
    'Hello, yes, go ahead, I am listening.',
    'Is this about the car? I already told you people to stop calling me.',
    'Good afternoon, reception, please give me your name and I will see whether she is free.',
    "Um, hi, mom can't come to the phone right now, she's in the shower. Who are you?",
    'Thank you for calling First Union Bank. My name is Denise and this call may be recorded. May I have your account number?',
    'Hello there, Riverside Plumbing, all our lines are crazy today, what do you need?',
    'Hello? Hello? Is anybody there?',
    'Hi, yes, I was expecting your call.',
  ]),
  ...of('voicemail', [
    "Hi, you've reached Karen. I can't come to the phone right now, so please leave your name and number after the tone.",
    'Your call has been forwarded to an automated voice messaging system. Nine one seven five five five zero one four two is not available.',
    "Hey, it's Josh, you know what to do.",
    'You have reached the voice mailbox of Linda Morales. I am either on another call or away from my desk. Please leave a detailed message.',
    'The person you are trying to reach is not available. At the tone, please record your message.',
    'Hello, this is the Hendersons. Nobody is home at the moment, but if you leave us a message we will get back to you as soon as we can.',
    'Thank you for calling Hillcrest Dental. Our office is closed for the day. Our hours are Monday to Friday, nine to five. Please leave a message and we will return your call the next business day.',
    'Hi, this is Sam. I will be out of the office until the twelfth. If it is urgent, call my colleague Rita. Otherwise leave a message.',
    'Sorry I missed your call. Leave me a message or, better, send me a text.',
    'The mailbox is full and cannot accept any messages at this time. Goodbye.',
  ]),
  ...of('menu', [
    'Thank you for calling Metro Health. For appointments, press one. For billing, press two. For all other questions, press zero.',
    'Welcome to Northern Gas and Electric. Para espanol, oprima el dos. Please listen carefully, as our menu options have changed.',
    'If you know your party extension, you may dial it at any time. For sales, press one. For support, press two.',
    'Thanks for calling. In a few words, tell me what you are calling about. You can say things like pay my bill or talk to an agent.',
    'Please enter your ten digit account number followed by the pound key.',
    'If this is a medical emergency, hang up and dial nine one one. To refill a prescription, press one. To speak with a nurse, press two.',
    'You have reached the city of Oakdale. For the directory, press star. To repeat these options, press nine.',
    'Welcome to Star Cable. I see that you are calling from a number we do not know. Please say or enter the phone number on your account.',
  ]),
  ...of('hold', [
    'All of our representatives are currently assisting other customers. Please stay on the line and your call will be answered in the order it was received.',
    'Your call is important to us. The estimated wait time is seven minutes.',
    'Thank you for holding. A representative will be with you shortly.',
    'You are number four in the queue. Please continue to hold.',
    'Did you know that you can pay your bill online? Visit our website, or stay on the line to speak with the next available agent.',
    'Please hold while I transfer your call. This call may be recorded for quality and training purposes.',
  ]),
  ...of('screening', [
    'The person you are calling is using a screening service and will get a copy of this conversation. Go ahead and say your name and why you are calling.',
    'Hi, if you record your name and reason for calling, I will see if this person is available.',
    'Please state your name after the tone, and your call will be connected.',
    'The subscriber you have dialed does not accept calls from unknown numbers. To be put through, say who you are.',
    'This number is protected by call guard. If you are a telemarketer, please hang up now. Friends and family, press five.',
  ]),
  ...of('announcement', [
    'The number you have dialed is not in service. Please check the number and dial again.',
    'We are sorry. Your call cannot be completed as dialed.',
    'The subscriber you are calling is switched off or outside the coverage area. Please try again later.',
    'The number you have reached has been changed. The new number is five five five, zero one eight eight.',
    'All circuits are busy now. Please try your call again later.',
    'The person you have called does not have a voice mailbox that has been set up yet. Goodbye.',
  ]),
];

/** Written at the same time as the first set, and first measured when the rules had been mended by what it showed. */
export const SECOND_SET: readonly Greeting[] = [
  ...of('person', [
    "Yes hello, who's speaking?",
    'Grace here.',
    'Good evening, Hotel Bellevue, you are speaking with Anthony. How may I be of service?',
    "One moment please, I'll get him. Dad, it's for you!",
    'Hello, Parker Law, could you please hold? Thank you.',
    'Sorry, could you say that again? The line is really bad.',
    "No, you've got the wrong number, there's no Steven here.",
    'I am on another call right now, can I ring you back after lunch?',
    'Thank you for calling Green Valley Motors, my name is Chris. Are you calling about sales or about service?',
    "Mister Lee is not available at the moment, but I'm his assistant. May I ask what it's regarding?",
    "Hi, you've called the right place, this is the help desk. What's your ticket number?",
    'Hello, can you give me your name and the company you are calling from, please?',
    "If it's about the message I left yesterday, I already sorted it out.",
    'Hi, I saw that you tried to call me before. What do you want?',
  ]),
  ...of('voicemail', [
    'This is Peter Novak. I am sorry that I cannot take your call. Leave a message and I will ring you back.',
    'Hello, you are through to the answering machine of Rose Cottage. Speak after the beep.',
    'The Verizon wireless customer you have called is unavailable right now. Please leave a message after the tone. When you have finished recording, you may hang up.',
    'We cannot get to the phone just now. You know the drill, name, number, short message.',
    'Thanks for calling Cooper Roofing. We are out on a job. Leave us your details and somebody will call you back today.',
    'You have reached my voicemail because I am on holiday. I will listen to messages when I am back.',
  ]),
  ...of('menu', [
    'Hello and thank you for calling Summit Insurance. To report a claim, say claim or press one now.',
    'Main menu. For opening hours, press two. For directions to our store, press three.',
    'To continue in English, press one. To hear this again, press the star key.',
    'Please tell me the first and last name of the person you would like to speak with.',
    'For security, please key in the last four digits of your social security number.',
  ]),
  ...of('hold', [
    'We are experiencing higher than normal call volumes. An advisor will be with you as soon as possible.',
    'Thank you for your patience. You are still in line, and we will answer your call soon.',
    'All our agents are busy. If you would like us to call you back without losing your place, press one.',
    'Please wait. We are trying to connect your call.',
  ]),
  ...of('screening', [
    'You are calling a private line. Before I connect you, please tell me your name and the reason for your call.',
    'Hi, I am the digital assistant of Robert. I am screening his calls. Who should I say is calling?',
    'Calls to this number are screened. At the beep, say your name, then press the pound key.',
  ]),
  ...of('announcement', [
    'The mobile phone you have called cannot be reached at the moment.',
    'This number has been disconnected or is no longer in use.',
    'The customer you are calling is not accepting calls at this time. Message seven, switch forty two.',
    'The person you are calling is on another line. Please try later.',
  ]),
];

/** Another author wrote these after the rules were mended by the first set, without reading the rules. */
export const THIRD_SET: readonly Greeting[] = [
  ...of('person', [
    'Hello, Priya here.',
    'Yes, hello, who am I speaking with?',
    'Good evening, Hotel Continental, Stefan at your service.',
    'Hi! Sorry, I thought you were the delivery guy.',
    'Mm-hm, this is she.',
    'You have the wrong number, there is no Robert here.',
    "Hello, sorry about the noise, I'm on a train, we might get cut off.",
    'Kelly from accounts, hi.',
    'Thanks for calling Green Leaf Garden Centre, Paul speaking, please bear with me one second.',
    "I'm just about to walk into an appointment, can this wait until four?",
    'Hello? If this is a sales call I am not interested.',
    'Yep, you got me. What do you need?',
    "He's on the other line right now, do you want to hold or shall he ring you back?",
    "Hi, no, Grandma is sleeping, I can wake her if it's important.",
    'Morning, school office.',
    'Speaking. Could you talk a bit louder please?',
  ]),
  ...of('voicemail', [
    "Hi, it's Diane. I must be out with the dog. Leave your number and I'll ring you back.",
    'The customer you are calling cannot take your call right now. Please leave a message after the beep.',
    "You've reached the desk of Michael Chen in the claims department. I'm away until Monday. Leave me your claim number and a short message.",
    'This is the voicemail of four one five, five five five, zero one seven seven. Record your message after the tone. When you are finished, hang up or press pound for more options.',
    "We're closed for the holidays and will be back on January third. Leave a message and someone will get back to you.",
    "Yo, it's Tyler, I never check this thing, so just text me.",
    'Sorry, no one is able to take your call at the moment. Please speak after the tone.',
  ]),
  ...of('menu', [
    'Thank you for calling Pinewood Pharmacy. If you are a doctor or a nurse, press one. To check on a prescription, press two. To speak to a pharmacist, press three.',
    'Hello and welcome to Direct Insurance. For claims, say claims. For a quote, say quote. For anything else, stay on the line.',
    'For English, press one. Para espanol, marque dos.',
    'Main menu. To hear your balance, press one. To make a payment, press two. To return to the previous menu, press star.',
    'You have reached Westfield High School. To report an absence, press one. To reach the front office, press two.',
    "Hi, I'm the automated assistant of River Bank. Tell me in a few words how I can help you today.",
    'Please enter the extension of the person you wish to reach, or press zero for the operator.',
  ]),
  ...of('hold', [
    'Thank you for holding. You are number four in the queue.',
    'All of our advisers are busy helping other customers. Please stay on the line and your call will be answered as soon as possible.',
    'Your estimated waiting time is less than five minutes. Did you know that you can also manage your booking on our website?',
    'We are experiencing higher than normal call volumes. Please continue to hold.',
    'Please hold while we transfer your call to the next available representative.',
  ]),
  ...of('screening', [
    'The person you are calling is using a call screening service. Please say your name and why you are calling, and they will be with you shortly.',
    "Hi, if you record your name and reason for calling, I'll see if this person is available.",
    'To help block robocalls, please press any number to connect your call.',
    'Before I put you through, who may I say is calling? Say your name after the tone.',
  ]),
  ...of('announcement', [
    'We are sorry, your call cannot be completed as dialed. Please check the number and dial again.',
    'The subscriber you have dialled is switched off or out of the coverage area. Please try again later.',
    'The number you are calling does not accept calls from this line.',
  ]),
];
