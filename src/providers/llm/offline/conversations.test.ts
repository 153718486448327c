import { describe, expect, it } from 'vitest';
import { callOf, type Settings } from './test-call.ts';

/** Whole conversations: each line of the caller and what the engine answers, tools in brackets. */
interface Conversation {
  title: string;
  agent: Settings;
  by?: 'keypad';
  calls: readonly (readonly (readonly [caller: string, agent: string])[])[];
}

const CONVERSATIONS: readonly Conversation[] = [
  {
    title: 'an appointment reminder',
    agent: {
      introMessage: 'Hello, this is Maya from City Dental. Am I speaking with Ravi?',
      objective:
        'You are Maya, a receptionist from City Dental calling to remind the patient about their appointment on Friday at 3 pm.',
      script: `1. Greet the patient and confirm you are speaking with Ravi.
2. Remind them that their appointment is on Friday at 3 pm.
3. Ask if they can attend.
   - If yes, tell them to arrive ten minutes early.
   - If no, ask for their preferred day and time, then confirm the new appointment.
4. Ask if they have any questions.
5. Thank them and say goodbye.`,
      faq: `Q: Where is the clinic located?
A: We are at 12 Main Street, next to the post office.
Q: How much does the check-up cost?
A: A check-up costs fifty dollars.`,
    },
    calls: [
      [
        [
          'yes',
          'Got it. I would like to remind you that your appointment is on Friday at 3 pm. Can you attend?',
        ],
        ['yes', 'Alright. Please arrive ten minutes early. Do you have any questions?'],
        ['no', 'Thank you for your time. Goodbye! [end_call]'],
      ],
      [
        [
          'speaking',
          'Got it. I would like to remind you that your appointment is on Friday at 3 pm. Can you attend?',
        ],
        ['no', 'Alright. What is your preferred day?'],
        ['Tuesday at three pm', 'That is Tuesday at 3 pm, correct?'],
        ['yes', 'Sure. Let me confirm: preferred day, Tuesday at 3 pm. Is that right?'],
        ['yes', 'Okay. Do you have any questions?'],
        [
          'where is the clinic',
          'We are at 12 Main Street, next to the post office. Do you have any questions?',
        ],
        ['no', 'Alright. Thank you for your time. Goodbye! [end_call]'],
      ],
      [['wrong number', 'I am sorry to have bothered you. Goodbye! [end_call]']],
      [
        [
          'yes',
          'Got it. I would like to remind you that your appointment is on Friday at 3 pm. Can you attend?',
        ],
        [
          'who is this',
          'I am Maya from City Dental. I am calling to remind you about your appointment on Friday at 3 pm. Can you attend?',
        ],
        [
          'why are you calling',
          'I am calling to remind you about your appointment on Friday at 3 pm. Can you attend?',
        ],
        ['are you a robot', 'Yes, I am an automated assistant. Can you attend?'],
        ['how much is a check up', 'A check-up costs fifty dollars. Can you attend?'],
        ['stop calling me', 'I am sorry for the trouble. We will not call you again. Goodbye! [opt_out]'],
      ],
      [['no', 'I am sorry to have bothered you. Goodbye! [end_call]']],
    ],
  },
  {
    title: 'a payment reminder',
    agent: {
      introMessage: 'Good morning, this is Anita from Secure Bank.',
      objective:
        'Remind the borrower that their EMI of 4,500 rupees is due on 5 May and understand when they will pay.',
      guidelines: `Be polite. Never threaten.
If they ask about an extension, tell them that a colleague will call them.`,
      script: `Inform the customer that the EMI of 4,500 rupees is due on 5 May. Ask when they will make the payment.
If the customer says they have already paid, thank them and end the call.
If they are unable to pay, ask for the reason and let them know that a late fee applies after 10 May.
Do not threaten the customer. Wait for the response.
End the call by thanking the customer for their time.`,
      faq: '**What is the late fee?** The late fee is 500 rupees.',
    },
    calls: [
      [
        ['yes', 'The EMI of 4,500 rupees is due on 5 May. When will you make the payment?'],
        ['can I get an extension', 'A colleague will call you. When will you make the payment?'],
        ['what is the late fee?', 'The late fee is 500 rupees. When will you make the payment?'],
        ['on friday', 'You said Friday, right?'],
        ['yes', 'Okay. Thank you for your time. Goodbye! [end_call]'],
      ],
      [
        ['yes', 'The EMI of 4,500 rupees is due on 5 May. When will you make the payment?'],
        ['I have already paid it', 'Alright. Thank you for your time. Goodbye! [end_call]'],
      ],
      [
        ['hello', 'The EMI of 4,500 rupees is due on 5 May. When will you make the payment?'],
        ['I cannot pay now', 'Alright. What is the reason?'],
        [
          'I lost my job',
          'Thank you. A late fee applies after 10 May. Thank you for your time. Goodbye! [end_call]',
        ],
      ],
      [
        ['hello', 'The EMI of 4,500 rupees is due on 5 May. When will you make the payment?'],
        ['call me later', 'When would be a good time to call you back?'],
        [
          'tomorrow morning',
          'Thank you, we will call you back tomorrow morning. Goodbye! [schedule_callback] [end_call]',
        ],
      ],
      [
        ['yes', 'The EMI of 4,500 rupees is due on 5 May. When will you make the payment?'],
        ['banana', 'Sorry, I did not catch that. When will you make the payment?'],
        [
          'banana',
          'Sorry, I did not quite understand. When will you make the payment? Press 1 for Monday, 2 for Tuesday, up to 7 for Sunday.',
        ],
        ['banana', 'Sure. Thank you for your time. Goodbye! [end_call]'],
      ],
    ],
  },
  {
    title: 'a survey in quoted questions',
    agent: {
      introMessage: 'Hello! We are running a short survey about your last visit. Do you have a minute?',
      objective: 'Collect feedback from customers about their last visit to the store.',
      script: `Step 1: "On a scale of 1 to 5, how would you rate your visit?"
Step 2: If the rating is below 3, ask what went wrong. If it is 4 or more, ask what they liked most.
Step 3: "Would you recommend us to a friend?"
Step 4: Say "Thank you for your feedback. Have a great day!" and end the call.`,
    },
    calls: [
      [
        ['sure', 'Got it. On a scale of 1 to 5, how would you rate your visit?'],
        ['two', 'You said 2, right?'],
        ['yes', 'Thank you. What went wrong?'],
        ['the queue was long', 'Sure. Would you recommend us to a friend?'],
        ['no', 'Okay. Thank you for your feedback. Have a great day! [end_call]'],
      ],
      [
        ['ok', 'Got it. On a scale of 1 to 5, how would you rate your visit?'],
        ['five', 'You said 5, right?'],
        ['yes', 'Thank you. What have you liked most?'],
        ['the staff', 'Sure. Would you recommend us to a friend?'],
        ['yes', 'Okay. Thank you for your feedback. Have a great day! [end_call]'],
      ],
      [
        ['no I am driving', 'When would be a good time to call you back?'],
        [
          'at six in the evening',
          'Thank you, we will call you back at 6 in the evening. Goodbye! [schedule_callback] [end_call]',
        ],
      ],
      [['not interested', 'No problem, thank you for your time. Goodbye! [end_call]']],
    ],
  },
  {
    title: 'lead qualification in prose',
    agent: {
      introMessage: 'Hi, this is Sam calling from Bright Solar. Do you have a minute to talk?',
      objective: 'Qualify homeowners interested in solar panels and book a visit.',
      script: `Ask if they own their home. If no, thank them and end the call. If yes, ask about their average monthly electricity bill.
Then ask what type of roof they have: flat or sloped.
Ask for their name and phone number.
Offer to schedule a free site visit. If they agree, ask for their preferred day. Otherwise, thank them for their time and end the call.
Confirm the details and end the call politely.`,
    },
    calls: [
      [
        ['sure', 'Got it. Do you own your home?'],
        ['yes', 'Alright. Could you tell me about your average monthly electricity bill?'],
        ['about two hundred dollars', 'Thank you. What type of roof do you have: flat or sloped?'],
        ['sloped', 'Sure. What is your name?'],
        ['john smith', 'That is John Smith, correct?'],
        ['yes', 'Got it. What is your phone number?'],
        ['nine eight seven six five', 'That is 98765, correct?'],
        ['yes', 'Thank you. Would you like me to schedule a free site visit?'],
        ['yes', 'Sure. What is your preferred day?'],
        ['monday', 'You said Monday, right?'],
        [
          'yes',
          'Got it. Let me confirm: about two hundred dollars; type of roof, sloped; name, John Smith; phone number, 98765; preferred day, Monday. Is that right?',
        ],
        ['yes', 'Thank you for your time. Goodbye! [end_call]'],
      ],
      [
        ['ok', 'Got it. Do you own your home?'],
        ['no', 'Alright. Thank you for your time. Goodbye! [end_call]'],
      ],
      [
        ['yes', 'Got it. Do you own your home?'],
        ['yes', 'Alright. Could you tell me about your average monthly electricity bill?'],
        ['100', 'Thank you. What type of roof do you have: flat or sloped?'],
        ['the first one', 'Sure. What is your name?'],
        ['Ana', 'That is Ana, correct?'],
        ['right', 'Got it. What is your phone number?'],
        ['12345', 'That is 12345, correct?'],
        ['correct', 'Thank you. Would you like me to schedule a free site visit?'],
        ['no thank you', 'Sure. Thank you for your time. Goodbye! [end_call]'],
      ],
    ],
  },
  {
    title: 'a delivery confirmation',
    agent: {
      introMessage: 'Hello, I am calling from Fast Parcel about your delivery.',
      objective: 'Confirm that the parcel arrived.',
      tools: [{ name: 'transfer_call', description: '', parameters: {} }],
      script: `Ask the customer whether they received the parcel today.
If yes: ask them to rate the delivery from 1 to 5, thank them, end the call.
If no: apologize for the delay and ask if they prefer morning or evening delivery.
Tell them that the courier will call before arriving.
Say goodbye.`,
    },
    calls: [
      [
        ['ok', 'Have you received the parcel today?'],
        ['yes', 'Alright. Could you please rate the delivery from 1 to 5?'],
        ['five', 'That is 5, correct?'],
        ['yes', 'Sure. Thank you for your time. Goodbye! [end_call]'],
      ],
      [
        ['ok', 'Have you received the parcel today?'],
        ['no', 'Alright. I am sorry for the delay. Do you prefer morning or evening delivery?'],
        [
          'evening',
          'Thank you. The courier will call before arriving. Thank you. Have a good day. Goodbye! [end_call]',
        ],
      ],
      [
        ['hello', 'Have you received the parcel today?'],
        ['i want to speak to a human', 'One moment please, I will connect you. [transfer_call]'],
      ],
      [
        ['ok', 'Have you received the parcel today?'],
        [
          'i do not know',
          'Alright. The courier will call before arriving. Thank you for your time. Goodbye! [end_call]',
        ],
        ['bye', 'Thank you. Have a good day. Goodbye! [end_call]'],
      ],
    ],
  },
  {
    title: 'a restaurant that is called',
    agent: {
      introMessage: "Thank you for calling Roma's. How may I help you?",
      callDirection: 'inbound',
      objective: 'You answer calls for a restaurant and take table bookings.',
      script: `- Ask how many people the table is for.
- Ask for the date and time.
- Ask for the caller's name.
- Confirm the booking.`,
      faq: `What are your opening hours? We are open from noon to eleven every day.
Do you have parking? Yes, there is free parking behind the restaurant.`,
    },
    calls: [
      [
        [
          'do you have parking',
          'Yes, there is free parking behind the restaurant. How many people is the table for?',
        ],
        ['four', 'You said 4, right?'],
        ['yes', 'Thank you. Which day would suit you?'],
        ['tomorrow at seven pm', 'You said tomorrow at 7 pm, right?'],
        ['yes', 'Okay. What is your name?'],
        ['my name is Anna', 'You said Anna, right?'],
        ['yes', 'Alright. Let me confirm: people, 4; day, tomorrow at 7 pm; name, Anna. Is that right?'],
        ['no', 'No problem, let us go over it again. How many people is the table for?'],
        ['five', 'That is 5, correct?'],
        ['yes', 'Okay. Which day would suit you?'],
        ['Friday', 'That is Friday, correct?'],
        ['yes', 'Alright. What time would suit you?'],
        ['eight pm', 'That is 8 pm, correct?'],
        ['yes', 'Sure. What is your name?'],
        ['Anna', 'That is Anna, correct?'],
        ['yes', 'Got it. Let me confirm: people, 5; day, Friday; time, 8 pm; name, Anna. Is that right?'],
        ['yes', 'Alright. Is there anything else I can help you with?'],
        [
          'when do you open',
          'We are open from noon to eleven every day. Is there anything else I can help you with?',
        ],
        ['no thank you', 'Thank you. Have a good day. Goodbye! [end_call]'],
      ],
    ],
  },
  {
    title: 'a Hindi reminder',
    agent: {
      language: 'hi-IN',
      agentName: 'प्रिया',
      introMessage: 'नमस्ते, मैं सिटी डेंटल से प्रिया बोल रही हूँ। क्या मैं रवि जी से बात कर रही हूँ?',
      objective: 'रवि जी को अपॉइंटमेंट याद दिलाना',
      script: `1. उन्हें बताएं कि उनका अपॉइंटमेंट शुक्रवार को तीन बजे है।
2. पूछें: "क्या आप शुक्रवार को आ पाएँगे?"
   - अगर हाँ, तो कहें: "बहुत बढ़िया, दस मिनट पहले आइए।"
   - अगर नहीं, तो पूछें कि कौन सा दिन ठीक रहेगा।
3. धन्यवाद कहें और कॉल समाप्त करें।`,
      faq: `प्रश्न: क्लिनिक कहाँ है?
उत्तर: क्लिनिक मुख्य बाज़ार में है।`,
    },
    calls: [
      [
        ['हाँ जी', 'जी। आपका अपॉइंटमेंट शुक्रवार को तीन बजे है। क्या आप शुक्रवार को आ पाएँगे?'],
        ['आप रोबोट हो क्या', 'जी हाँ, मैं एक स्वचालित सहायक हूँ। क्या आप शुक्रवार को आ पाएँगे?'],
        ['क्लिनिक कहाँ है', 'क्लिनिक मुख्य बाज़ार में है। क्या आप शुक्रवार को आ पाएँगे?'],
        ['नहीं', 'जी। कौन सा दिन ठीक रहेगा?'],
        ['सोमवार', 'आपने सोमवार कहा, सही है?'],
        ['हाँ', 'समय देने के लिए धन्यवाद। नमस्ते। [end_call]'],
      ],
      [
        ['haan', 'जी। आपका अपॉइंटमेंट शुक्रवार को तीन बजे है। क्या आप शुक्रवार को आ पाएँगे?'],
        ['haan', 'अच्छा। बहुत बढ़िया, दस मिनट पहले आइए। समय देने के लिए धन्यवाद। नमस्ते। [end_call]'],
      ],
      [['galat number', 'माफ़ कीजिए, गलत नंबर लग गया। नमस्ते। [end_call]']],
      [
        ['ji', 'जी। आपका अपॉइंटमेंट शुक्रवार को तीन बजे है। क्या आप शुक्रवार को आ पाएँगे?'],
        ['कॉल मत करना', 'असुविधा के लिए क्षमा करें। अब हम आपको कॉल नहीं करेंगे। नमस्ते। [opt_out]'],
      ],
    ],
  },
  {
    title: 'a Hindi agent with an English script',
    agent: {
      language: 'hi-IN',
      agentName: 'Priya',
      introMessage: 'नमस्ते, मैं प्रिया बोल रही हूँ।',
      objective: 'Remind the customer',
      script: `Ask for their preferred day and time.
Ask how many people will come.
Thank them and end the call.`,
    },
    calls: [
      [
        ['ji', 'कौन सा दिन ठीक रहेगा?'],
        ['kal', 'आपने कल कहा, सही है?'],
        ['haan', 'ठीक है। कौन सा समय ठीक रहेगा?'],
        ['shaam 5 baje', 'आपने shaam 5 कहा, सही है?'],
        ['haan', 'अच्छा। कितने, कृपया बताइए?'],
        ['चार', 'आपने 4 कहा, सही है?'],
        ['जी', 'समय देने के लिए धन्यवाद। नमस्ते। [end_call]'],
      ],
    ],
  },
  {
    title: 'a Tamil reminder by keypad',
    agent: {
      language: 'ta-IN',
      understandsSpeech: false,
      agentName: 'மீனா',
      introMessage: 'வணக்கம், சிட்டி வங்கியிலிருந்து மீனா பேசுகிறேன்.',
      objective: 'Remind',
      script: `Ask: "உங்கள் தவணை ஐந்தாம் தேதி. அதற்குள் கட்ட முடியுமா?"
If no, ask for their preferred day.
Ask for their name.
Thank them and end the call.`,
    },
    by: 'keypad',
    calls: [
      [
        [
          '1',
          'உங்கள் தவணை ஐந்தாம் தேதி. அதற்குள் கட்ட முடியுமா? பேச்சு இப்போது புரியாது, தயவுசெய்து தொலைபேசி பொத்தான்களை அழுத்துங்கள். ஆம் என்றால் 1, இல்லை என்றால் 2 அழுத்துங்கள்.',
        ],
        ['2', 'சரி. எந்த நாள் உங்களுக்கு வசதி? திங்கள் என்றால் 1, ஞாயிறு என்றால் 7 வரை அழுத்துங்கள்.'],
        ['3', 'உங்கள் நேரத்திற்கு நன்றி. வணக்கம். [end_call]'],
      ],
      [
        [
          '#',
          'உங்கள் தவணை ஐந்தாம் தேதி. அதற்குள் கட்ட முடியுமா? பேச்சு இப்போது புரியாது, தயவுசெய்து தொலைபேசி பொத்தான்களை அழுத்துங்கள். ஆம் என்றால் 1, இல்லை என்றால் 2 அழுத்துங்கள்.',
        ],
        [
          '5',
          'மன்னிக்கவும், எனக்குப் புரியவில்லை. உங்கள் தவணை ஐந்தாம் தேதி. அதற்குள் கட்ட முடியுமா? ஆம் என்றால் 1, இல்லை என்றால் 2 அழுத்துங்கள்.',
        ],
        ['1', 'உங்கள் நேரத்திற்கு நன்றி. வணக்கம். [end_call]'],
      ],
      [
        [
          '1',
          'உங்கள் தவணை ஐந்தாம் தேதி. அதற்குள் கட்ட முடியுமா? பேச்சு இப்போது புரியாது, தயவுசெய்து தொலைபேசி பொத்தான்களை அழுத்துங்கள். ஆம் என்றால் 1, இல்லை என்றால் 2 அழுத்துங்கள்.',
        ],
        [
          '0',
          'எங்கள் குழுவில் ஒருவர் உங்களைத் திரும்ப அழைப்பார். உங்கள் தவணை ஐந்தாம் தேதி. அதற்குள் கட்ட முடியுமா? ஆம் என்றால் 1, இல்லை என்றால் 2 அழுத்துங்கள்.',
        ],
        [
          '*',
          'எங்கள் குழுவில் ஒருவர் உங்களைத் திரும்ப அழைப்பார். உங்கள் தவணை ஐந்தாம் தேதி. அதற்குள் கட்ட முடியுமா? ஆம் என்றால் 1, இல்லை என்றால் 2 அழுத்துங்கள்.',
        ],
        ['2', 'சரி. எந்த நாள் உங்களுக்கு வசதி? திங்கள் என்றால் 1, ஞாயிறு என்றால் 7 வரை அழுத்துங்கள்.'],
        [
          '9',
          'மன்னிக்கவும், எனக்குப் புரியவில்லை. எந்த நாள் உங்களுக்கு வசதி? திங்கள் என்றால் 1, ஞாயிறு என்றால் 7 வரை அழுத்துங்கள்.',
        ],
        ['7', 'உங்கள் நேரத்திற்கு நன்றி. வணக்கம். [end_call]'],
      ],
    ],
  },
  {
    title: 'a sales call under headings',
    agent: {
      introMessage: 'Hi, am I speaking with Priya?',
      objective:
        'You are Riya, a friendly loan officer at QuickLoan. Your goal is to check if the customer is interested in a personal loan and collect basic details.',
      script: `## Step 1: Confirm identity
- If the person is not Priya, apologize and end the call.
## Step 2: Introduce the offer
- Tell the customer about our pre-approved personal loan up to 5 lakh rupees at 11% interest.
- Ask if they are interested.
  - If interested → proceed to Step 3
  - If not interested → thank them and end the call
  - If busy → ask for a convenient time to call back
## Step 3: Collect details
Collect the following details:
- Monthly income
- Employment type (salaried or self-employed)
- City
## Step 4: Close
Let them know that a loan officer will contact them within 24 hours. Thank them and end the call.`,
    },
    calls: [
      [
        [
          'yes',
          'Got it. I would like to tell you about our pre-approved personal loan up to 5 lakh rupees at 11% interest. Are you interested?',
        ],
        ['yes', 'Alright. What is your monthly income?'],
        ['fifty thousand', 'That is 50000, correct?'],
        ['yes', 'Sure. What is your employment type: salaried or self-employed?'],
        ['salaried', 'Okay. What is your city?'],
        [
          'Pune',
          'Got it. A loan officer will contact you within 24 hours. Thank you for your time. Goodbye! [end_call]',
        ],
        ['bye', 'Thank you. Have a good day. Goodbye! [end_call]'],
      ],
    ],
  },
  {
    title: 'a service booking with numbered branches',
    agent: {
      introMessage: 'Hi, am I speaking with Priya?',
      script: `1. Confirm you are speaking to Priya. If not, apologize and end the call politely.
2. Explain that her car service is due.
3. Ask whether she would like to book a slot this week.
4. If yes, ask for the preferred date and time and confirm it back.
5. If no, ask when she would like us to call again.
6. End with "Thank you for choosing AutoCare. Have a great day!"`,
    },
    calls: [
      [
        ['yes this is she', 'Got it. Your car service is due. Would you like to book a slot this week?'],
        ['yes', 'Alright. What is your preferred date?'],
        ['friday', 'That is Friday, correct?'],
        ['yes', 'Sure. What time would suit you?'],
        ['11 am', 'That is 11 am, correct?'],
        ['yes', 'Got it. Let me confirm: preferred date, Friday; time, 11 am. Is that right?'],
        ['yes', 'Alright. Thank you for choosing AutoCare. Have a great day! [end_call]'],
      ],
      [['no', 'Got it. I am sorry about that. Thank you. Have a good day. Goodbye! [end_call]']],
      [
        ['yes', 'Got it. Your car service is due. Would you like to book a slot this week?'],
        ['no', 'Alright. When would be a good time to call you back?'],
        [
          'next monday at ten',
          'Thank you for choosing AutoCare. Have a great day! [schedule_callback] [end_call]',
        ],
      ],
    ],
  },
  {
    title: 'a script that is a dialogue',
    agent: {
      introMessage: 'Hello!',
      script: `Agent: Hi, this is Tom from FreshMart. We noticed you left items in your cart.
User: Oh yes.
Agent: Would you like help completing the order?
User: Sure.
Agent: Great, I will text you the link. Goodbye!`,
    },
    calls: [
      [
        [
          'hi',
          'Hi, this is Tom from FreshMart. We noticed you left items in your cart. Would you like help completing the order?',
        ],
        ['yes', 'Alright. Great, I will text you the link. Thank you for your time. Goodbye! [end_call]'],
      ],
    ],
  },
  {
    title: 'a reminder in running text',
    agent: {
      introMessage: 'Hello, this is the City Library calling.',
      script:
        'You need to inform the member that their book is overdue by five days. Then ask them to return it by Friday. If they ask about the fine, tell them it is two dollars a day. If they say they lost the book, tell them they can pay for it at the front desk. Finally, say goodbye.',
    },
    calls: [
      [
        ['ok', 'Your book is overdue by five days. Could you please return it by Friday?'],
        ['what is the fine?', 'It is two dollars a day. Could you please return it by Friday?'],
        [
          'I lost the book',
          'Thank you. You can pay for it at the front desk. Thank you. Have a good day. Goodbye! [end_call]',
        ],
      ],
    ],
  },
  {
    title: 'a hotel survey',
    agent: {
      introMessage: 'Hi there, it is Zoe from Hotel Blue. How was your stay with us?',
      script:
        "Listen to the guest's feedback and acknowledge it. Ask them to rate their stay on a scale of 1-10. If the rating is 7 or below, ask what we could improve. Ask if they would stay with us again. Thank the guest warmly and wish them a wonderful day.",
    },
    calls: [
      [
        ['it was great', 'Got it. Could you please rate your stay on a scale of 1-10?'],
        ['6', 'You said 6, right?'],
        ['yes', 'Thank you. What could we improve?'],
        ['the breakfast', 'Sure. Would you stay with us again?'],
        ['yes', 'Okay. Thank you for your time. Have a wonderful day. [end_call]'],
      ],
    ],
  },
  {
    title: 'the demo agent',
    agent: {
      introMessage: 'Hello! This is the demo agent of Callwright. Shall we try booking an appointment?',
      script: `1. Ask which day suits them.
2. Ask how many people are coming.
3. Confirm the details.
4. Thank them and say goodbye.`,
      objective: 'Show how a call works.',
    },
    calls: [
      [
        ['yes', 'Got it. Which day suits you?'],
        ['monday', 'You said Monday, right?'],
        ['yes', 'Thank you. How many people are coming?'],
        ['three', 'You said 3, right?'],
        ['yes', 'Okay. Let me confirm: day, Monday; people, 3. Is that right?'],
        ['yes', 'Got it. Thank you for your time. Goodbye! [end_call]'],
      ],
    ],
  },
  {
    title: 'answers only',
    agent: {
      introMessage: 'Hello, how can I help you?',
      callDirection: 'inbound',
      objective: 'You are the assistant of Green Gym.',
      faq: `1. How much is a membership?
A membership is thirty dollars a month.
2. Do you have a pool?
Yes, we have a heated pool.`,
    },
    calls: [
      [
        [
          'how much does membership cost',
          'A membership is thirty dollars a month. Is there anything else I can help you with?',
        ],
        [
          'do you have a sauna',
          'I will have someone follow up on that. Is there anything else I can help you with?',
        ],
        ['no', 'Thank you. Have a good day. Goodbye! [end_call]'],
      ],
      [
        [
          'I would like to cancel my card',
          'I do not have that information here, but I will have someone follow up on that. Is there anything else I can help you with?',
        ],
        ['yes', 'How may I help you?'],
        ['is there a pool?', 'Yes, we have a heated pool. Is there anything else I can help you with?'],
        ['thank you', 'You are welcome. Thank you for your time. Goodbye! [end_call]'],
      ],
    ],
  },
];

describe.each(CONVERSATIONS)('$title', ({ agent, calls, by }) => {
  it.each(calls.map((lines) => ({ lines, first: lines.map(([line]) => line).join(' / ') })))(
    '$first',
    ({ lines }) => {
      const call = callOf(agent);
      expect(lines.map(([line]) => [line, call.say(line, by ?? 'speech').trim()])).toEqual(lines);
    },
  );
});
