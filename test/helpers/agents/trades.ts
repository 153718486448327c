import { MORE_TRADES } from './more-trades.ts';
import { passage, type Trade } from './trade.ts';

export const TRADES: readonly Trade[] = [
  {
    name: 'a dental clinic',
    agent: {
      introMessage: 'Hello, this is Maya from Riverside Dental. Do you have a minute?',
      objective: `You are Maya, a receptionist at Riverside Dental. You remind patients about their check-up.
The clinic is at 12 Park Road, next to the post office. We are open from eight to six, Monday to Friday.
Patients can park free of charge in the yard behind the building.`,
      guidelines: `Be friendly and brief. Never give medical advice.
A check-up costs sixty dollars. Cleaning takes about forty minutes.
Tell them that children under twelve are treated free of charge.
If they cancel less than a day before, we charge twenty dollars.`,
      script: `1. Ask if they can come on Tuesday at three.
2. Ask if they have any questions.
3. Thank them and say goodbye.`,
    },
    answered: [
      ['where are you located', '12 Park Road'],
      ['how much do you charge for a check up', 'sixty dollars'],
      ['until when are you open', 'eight to six'],
      ['can I leave my car somewhere', 'behind the building'],
      ['how long does a cleaning take', 'forty minutes'],
      ['what if I have to call it off', 'twenty dollars'],
      ['do I have to pay for my daughter, she is nine', 'under twelve'],
    ],
    unanswered: [
      'how much is a root canal',
      'do you do braces',
      'who owns the clinic',
      'can I get a loan for this',
      'is doctor Miller there on Thursday',
    ],
  },
  {
    name: 'a restaurant',
    agent: {
      introMessage: "Thank you for calling Roma's. How may I help you?",
      callDirection: 'inbound',
      objective: 'You answer the phone for the restaurant Roma and take table bookings.',
      script: `- Ask how many people the table is for.
- Ask for the date and time.
- Confirm the booking.`,
      faq: `What are your opening hours? We are open from noon to eleven every day.
Do you have parking? Yes, there is free parking behind the restaurant.
Do you have vegetarian dishes? Yes, a third of the menu is vegetarian.
Q: Can we sit outside?
A: The terrace is open from May to September.
Q: Do you take large groups?
A: For parties of more than ten we have a separate room.
Q: Is there a dress code?
A: No, come as you are.
Q: Do you have food without gluten?
A: We make pasta and pizza without gluten on request.`,
    },
    answered: [
      ['when do you close', 'noon to eleven'],
      ['I do not eat meat, is that a problem', 'a third of the menu'],
      ['is there somewhere to park', 'behind the restaurant'],
      ['do you have tables in the garden', 'The terrace'],
      ['there will be fifteen of us, can you seat a big party', 'separate room'],
      ['do I have to wear a jacket', 'come as you are'],
      ['my wife is a coeliac, can she eat with you', 'without gluten'],
    ],
    unanswered: [
      'do you deliver to Greenwich',
      'can I bring my dog',
      'is there live music on Saturday',
      'how much is the tasting menu',
      'do you sell gift cards',
    ],
  },
  {
    name: 'a bank that reminds of a payment',
    agent: {
      introMessage: 'Good morning, this is Anita from Secure Bank.',
      objective:
        'Remind the borrower that their EMI of 4,500 rupees is due on 5 May and understand when they will pay.',
      guidelines: `Be polite. Never threaten. Do not discuss other accounts.
A late fee of 500 rupees applies after 10 May.
Customers can pay in the app, by bank transfer or in cash at any branch.
If they ask about an extension, tell them that extensions are granted in the branch only.
The interest rate of the loan is nine percent a year.`,
      script: `Inform the customer that the EMI of 4,500 rupees is due on 5 May. Ask when they will make the payment.
Let them know that the receipt arrives by email within a day.
End the call by thanking the customer for their time.`,
    },
    answered: [
      ['how much do I have to pay', '4,500'],
      ['when is it due', '5 May'],
      ['what happens if I am late', '500 rupees'],
      ['can I settle it in cash', 'in cash at any branch'],
      ['what interest do you take', 'nine percent'],
      ['will I get a receipt', 'by email'],
      ['could I have an extension', 'in the branch only'],
    ],
    unanswered: [
      'what is my account balance',
      'can I get a new credit card',
      'what are the opening hours of the branch',
      'how long does the loan still run',
    ],
  },
  {
    name: 'a garage',
    agent: {
      introMessage: 'Hello, AutoCare here. I am calling about the service of your car.',
      objective: 'You work for AutoCare. Book the yearly service.',
      guidelines: `## Prices
- Oil change: 80 dollars
- Yearly service: 240 dollars
- Tyre change: 60 dollars
## Good to know
We lend you a replacement car for ten dollars a day. The yearly service takes half a day.
You can drop the key into the box at the gate before seven.
All repairs have a guarantee of two years.`,
      script: '1. Ask which day suits them.\n2. Ask for the number plate.\n3. Thank them and end the call.',
      knowledge: [
        passage(
          'Address',
          'The workshop lies in the industrial park at 5 Mill Lane. Bus 42 stops at the gate.',
        ),
        passage(
          'Payment',
          'We accept all cards and cash. Invoices for companies are payable within fourteen days.',
        ),
      ],
    },
    answered: [
      ['what does the oil change cost', '80 dollars'],
      ['how much is the yearly service', '240 dollars'],
      ['how long will you have my car for the service', 'half a day'],
      ['do I get another car meanwhile', 'replacement car'],
      ['and if something you fixed breaks again', 'two years'],
      ['where is your workshop', '5 Mill Lane'],
      ['can I use my visa', 'all cards'],
    ],
    unanswered: [
      'how much is a new windscreen',
      'do you also paint cars',
      'are you open on Sundays',
      'can you tow my car',
    ],
  },
  {
    name: 'an internet shop',
    agent: {
      introMessage: 'Hello, this is Leo from Green Basket about your order.',
      objective: 'Confirm that the order arrived and answer questions.',
      script: `1. Ask if they received the parcel.
2. Ask them to rate the delivery from 1 to 5.
3. Say goodbye.`,
      knowledge: [
        passage(
          'Returns',
          'You can send goods back within thirty days. Shoes must be unworn. The label is in the parcel.',
        ),
        passage('Refunds', 'Refunds are paid within five working days. Cards may take a little longer.'),
        passage(
          'Delivery',
          'Delivery is free for orders above 50 dollars. Below that it costs four dollars. Orders placed before noon leave the same day.',
        ),
        passage('Delivery abroad', 'We deliver to Canada and Mexico. It takes seven to ten days.'),
        passage('Payment', 'You can pay by card, PayPal or invoice.'),
        passage('Discounts', 'Students get ten percent off with a valid card of their university.'),
      ],
    },
    answered: [
      ['how long do I have to return something', 'thirty days'],
      ['when do I get my money back', 'five working days'],
      ['what does shipping cost', 'above 50 dollars'],
      ['do you ship to Canada', 'Canada and Mexico'],
      ['how can I pay', 'PayPal'],
      ['is there a reduction for students', 'ten percent'],
      ['how soon is my order sent if I order in the morning', 'the same day'],
    ],
    unanswered: [
      'do you deliver to Germany',
      'can I pay with bitcoin',
      'do you have a shop in Boston',
      'how many employees do you have',
      'what is the warranty on a toaster',
    ],
  },
  {
    name: 'a hotel',
    agent: {
      introMessage: 'Hotel Blue, this is Zoe. How can I help?',
      callDirection: 'inbound',
      objective: `You are Zoe at the reception of Hotel Blue.
Check-in: from 3 pm
Check-out: until 11 am
Breakfast: 15 dollars a person, from 6:30 to 10
Parking: 12 dollars a night in the garage below the house
Dogs: welcome for 20 dollars a night
Wifi: free in the whole house`,
      guidelines:
        'Be warm. Do not promise upgrades.\nGuests can cancel free of charge until two days before arrival.',
      script: '- Ask for the day of arrival.\n- Ask how many nights they stay.\n- Ask for their name.',
    },
    answered: [
      ['at what time can we get into the room', '3 pm'],
      ['when do we have to leave the room', '11 am'],
      ['is the morning meal included', '15 dollars a person'],
      ['where can I leave the car', 'garage below'],
      ['may I bring my cat or dog', '20 dollars a night'],
      ['do you have internet', 'free in the whole house'],
      ['until when can I cancel', 'two days before'],
    ],
    unanswered: [
      'is there a swimming pool',
      'how far is the airport',
      'how much is a suite',
      'do you have a gym',
    ],
  },
  {
    name: 'a solar company',
    agent: {
      introMessage: 'Hi, this is Sam calling from Bright Solar. Do you have a minute to talk?',
      objective: 'Qualify homeowners interested in solar panels and book a visit.',
      guidelines: `Speak slowly. One question at a time.
The site visit is free and takes an hour.
A typical system costs between twelve and eighteen thousand dollars. The state pays a third of it as a tax credit.
Panels have a guarantee of twenty-five years.
Installation takes two days. Customers need no permit.`,
      script: `Ask if they own their home. If no, thank them and end the call.
Ask about their average monthly electricity bill.
Ask for their preferred day.`,
    },
    answered: [
      ['what would the panels set me back', 'eighteen thousand'],
      ['do I have to pay for the visit', 'free'],
      ['is there any government help', 'tax credit'],
      ['how long is the warranty', 'twenty-five years'],
      ['how long do the installers need', 'two days'],
      ['do I need a permit', 'no permit'],
      ['how long does the visit last', 'an hour'],
    ],
    unanswered: [
      'do you also sell heat pumps',
      'which brand are the inverters',
      'does it work in a power cut',
      'can I rent the panels',
    ],
  },
  ...MORE_TRADES,
];
