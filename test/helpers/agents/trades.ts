import type { KnowledgeItem } from '../../../src/shared/knowledge/knowledge-index.ts';
import type { Settings } from '../../../src/offline/script/test-call.ts';

/** An agent of one trade, questions in other words than its texts with a part of the right answer, and questions without one. */
export interface Trade {
  readonly name: string;
  readonly agent: Settings;
  readonly answered: readonly (readonly [question: string, part: string])[];
  readonly unanswered: readonly string[];
}

const passage = (heading: string, text: string): KnowledgeItem => ({ heading, text, source: 'handbook.pdf' });

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
      objective: 'Remind the borrower that their EMI of 4,500 rupees is due on 5 May and understand when they will pay.',
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
        passage('Address', 'The workshop lies in the industrial park at 5 Mill Lane. Bus 42 stops at the gate.'),
        passage('Payment', 'We accept all cards and cash. Invoices for companies are payable within fourteen days.'),
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
        passage('Returns', 'You can send goods back within thirty days. Shoes must be unworn. The label is in the parcel.'),
        passage('Refunds', 'Refunds are paid within five working days. Cards may take a little longer.'),
        passage('Delivery', 'Delivery is free for orders above 50 dollars. Below that it costs four dollars. Orders placed before noon leave the same day.'),
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
      guidelines: 'Be warm. Do not promise upgrades.\nGuests can cancel free of charge until two days before arrival.',
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
  {
    name: 'a language school',
    agent: {
      introMessage: 'Hello, this is Nina from Lingua School.',
      prompt: '',
      script: `You are calling people who asked about our courses.
- Ask which language they want to learn.
- Ask if they have learnt it before.
- Tell them that the first lesson is free.
- Ask for their email address.`,
      faq: `**How big are the classes?** At most eight people learn together.
**What does a course cost?** A course of ten weeks costs 290 dollars.
**When are the lessons?** Lessons are on Tuesday and Thursday evenings from six to eight.
**Who teaches?** All our teachers speak the language as their mother tongue.
**Do I get a certificate?** After the final test you receive a certificate.
**Can I learn online?** Every course is also held online.`,
    },
    answered: [
      ['how many students are in one class', 'eight people'],
      ['and how much is it for the whole course', '290 dollars'],
      ['on which days do you have lessons', 'Tuesday and Thursday'],
      ['are the tutors native speakers', 'mother tongue'],
      ['do you give out certificates', 'certificate'],
      ['can I do it over the internet', 'held online'],
      ['can I try it out first', 'first lesson is free'],
    ],
    unanswered: [
      'do you teach sign language',
      'is there a parking lot',
      'can I bring my baby',
      'do you have courses in August',
    ],
  },
  {
    name: 'a landlord',
    agent: {
      introMessage: 'Hello, City Homes here about the flat in Elm Street.',
      objective: `Arrange viewings of the flat.
The flat has three rooms and 74 square metres. It is on the second floor.
The rent is 1,450 dollars a month. Heating is included. The deposit is two months' rent.
The flat is available from the first of June. Pets are not allowed.
Public transport: bus 8 stops in front of the house
Furniture: the kitchen is fitted, the rooms are empty`,
      script: 'Ask if they want to see the flat. Ask which day suits them. Ask for their name. End the call.',
    },
    answered: [
      ['how big is the apartment', '74 square metres'],
      ['what is the monthly rent', '1,450'],
      ['how much do I have to pay as a bond', "two months' rent"],
      ['when could I move in, from when is it available', 'first of June'],
      ['I have two cats, is that okay', 'not allowed'],
      ['is it furnished', 'kitchen is fitted'],
      ['does the rent include heating', 'Heating is included'],
    ],
    unanswered: [
      'is there an elevator',
      'who are the neighbours',
      'is there a garage',
      'how old is the building',
    ],
  },
  {
    name: 'a gym',
    agent: {
      introMessage: 'Hi, this is Ben from Iron House.',
      objective: 'Win back former members with a free month.',
      guidelines: `We are open from six in the morning to midnight, also on holidays.
Membership is 39 dollars a month. You can leave at any time with four weeks' notice.
Tell members that the sauna is included.
Personal training costs 60 dollars an hour.
Members can bring a friend on Sundays.
Showers and lockers are on the ground floor; towels are not provided.`,
      script: 'Ask if they would like to come back for a free month. If yes, ask for their preferred day.',
    },
    answered: [
      ['how early do you open', 'six in the morning'],
      ['how expensive is a membership', '39 dollars'],
      ['am I tied in for a year', "four weeks' notice"],
      ['do I have to pay extra for the sauna', 'included'],
      ['what does a personal trainer cost', '60 dollars an hour'],
      ['may I take a friend along', 'on Sundays'],
      ['should I bring my own towel', 'not provided'],
    ],
    unanswered: [
      'do you have a swimming pool',
      'is there child care',
      'do you offer yoga',
      'where can I park',
    ],
  },
  {
    name: 'a laboratory',
    agent: {
      introMessage: 'Good morning, this is Central Lab about your blood test.',
      objective: 'Remind patients of their blood test tomorrow.',
      guidelines: `Patients must not eat for twelve hours before the test; water is fine.
The results are ready after two days and can be seen in the app.
Please bring the referral of your doctor and your insurance card.
The lab is on the third floor of the Medical Center in Oak Avenue.
The test takes ten minutes. There is no need to book a time.`,
      script: 'Ask if they will come tomorrow. If no, ask which day suits them. Thank them and say goodbye.',
    },
    answered: [
      ['can I have breakfast before', 'twelve hours'],
      ['when will I get my report', 'after two days'],
      ['what documents do I need', 'referral'],
      ['how do I find you', 'Oak Avenue'],
      ['how long will it take', 'ten minutes'],
      ['do I need an appointment', 'no need to book'],
      ['on which floor is it', 'third floor'],
    ],
    unanswered: [
      'how much does the test cost',
      'do you also test for allergies',
      'can a nurse come to my home',
      'is the doctor a woman',
    ],
  },
  {
    name: 'a cleaning firm',
    agent: {
      introMessage: 'Hello, Sparkle Cleaning, what can I do for you?',
      callDirection: 'inbound',
      objective: `You take orders for home cleaning.
| Service | Price |
| Basic cleaning | 30 dollars an hour |
| Windows | 6 dollars each |
| Move-out cleaning | 280 dollars |
Our cleaners bring all supplies. The same person comes every time.
We serve the whole city and places up to ten miles around it.
All cleaners are insured; damage is paid within a week.
You can pay after the visit by card or bank transfer.`,
      script: '- Ask for the size of the home.\n- Ask for the preferred day.\n- Ask for the address.',
    },
    answered: [
      ['what do you take per hour for normal cleaning', '30 dollars an hour'],
      ['how much are the windows', '6 dollars'],
      ['do I have to buy detergent', 'all supplies'],
      ['is it always the same cleaner', 'same person'],
      ['do you come out to places around the city', 'ten miles'],
      ['what if somebody breaks something', 'insured'],
      ['can I pay with plastic', 'by card'],
    ],
    unanswered: [
      'do you iron shirts',
      'can you clean on Christmas',
      'how much is carpet cleaning',
    ],
  },
  {
    name: 'a vet',
    agent: {
      introMessage: 'Hello, Paws Clinic here. It is time for the yearly vaccination of Bello.',
      objective: 'You call for Paws Clinic. Remind owners of the yearly vaccination of their pet.',
      guidelines: `The vaccination costs 55 dollars and takes a quarter of an hour.
Owners should bring the vaccination card.
The practice is in Harbour Street 9, opposite the fire station.
We see animals without an appointment every morning from nine to eleven.
In the night the animal hospital in Lake Road takes emergencies.
Fresh food for cats and dogs is sold at the front desk.
After the vaccination the animal should rest for a day.`,
      script: 'Ask which day suits them. Confirm the day. Thank them and say goodbye.',
    },
    answered: [
      ['what will the shot cost me', '55 dollars'],
      ['is there anything I need to take with me', 'vaccination card'],
      ['remind me where you are', 'Harbour Street 9'],
      ['can I just drop in', 'without an appointment'],
      ['what do I do if something happens at night', 'Lake Road'],
      ['do you sell cat food', 'front desk'],
      ['may he run around afterwards', 'rest for a day'],
      ['how many minutes will it take', 'quarter of an hour'],
    ],
    unanswered: [
      'do you treat horses',
      'how much is a neutering',
      'is Doctor Wells still with you',
      'can you send me an invoice by post',
      'do I have to microchip him',
    ],
  },
  {
    name: 'a museum',
    agent: {
      introMessage: 'City Museum, good morning. How may I help you?',
      callDirection: 'inbound',
      objective: 'You give information about the museum and note bookings of tours.',
      script: '- Ask for the day of the visit.\n- Ask how many people come.\n- Ask for a phone number.',
      knowledge: [
        passage('Visit', 'The museum is open from Tuesday to Sunday, ten to six. On Mondays it is closed. Last entry is at five.'),
        passage('Tickets', 'Adults pay fourteen dollars. Children under sixteen enter free. On the first Sunday of the month everybody enters free.'),
        passage('Tours', 'A guided tour lasts ninety minutes and costs five dollars more. Tours in Spanish are held on Fridays.'),
        passage('Good to know', 'Photographs without a flash are welcome. Large bags must be left in a locker. The cafe in the courtyard serves lunch.'),
        passage('Access', 'Every floor can be reached by wheelchair. Wheelchairs can be borrowed at the entrance.'),
        passage('Arrival', 'The tram stop Museum Square is in front of the door. There is no parking at the house.'),
      ],
    },
    answered: [
      ['what time do you shut', 'ten to six'],
      ['how much is the admission', 'fourteen dollars'],
      ['do I have to buy a ticket for my son', 'under sixteen'],
      ['how long is the tour', 'ninety minutes'],
      ['am I allowed to take pictures', 'without a flash'],
      ['my mother cannot walk, can she get around', 'heelchair'],
      ['can we get something to eat', 'cafe in the courtyard'],
      ['where do I put my suitcase', 'locker'],
      ['how do we get there by tram', 'Museum Square'],
    ],
    unanswered: [
      'is the Rembrandt on show',
      'do you have a shop',
      'can I get married in the museum',
      'is there a playground',
      'do you have an audio guide in Japanese',
    ],
  },
  {
    name: 'a courier',
    agent: {
      introMessage: 'Hello, I am calling from Fast Parcel about your delivery.',
      objective: 'Find out when the customer is at home to take a parcel.',
      guidelines: `Our couriers come between eight and four.
If nobody is at home, we leave the parcel at the shop in King Street.
It is kept there for seven days. Customers need their passport to pick it up.
The customs charge is 12 dollars, to be paid at the door.
The parcel weighs nine kilos.`,
      script: 'Ask which day the customer is at home. Ask if a neighbour may take the parcel. Say goodbye.',
    },
    answered: [
      ['at what time would you come', 'eight and four'],
      ['what if I am not in when he rings', 'nobody is at home'],
      ['for how long do you keep it', 'seven days'],
      ['which papers do I have to show to collect it', 'passport'],
      ['is there anything to pay', '12 dollars'],
      ['how heavy is it', 'nine kilos'],
      ['where is the shop', 'King Street'],
    ],
    unanswered: ['who sent it', 'can you come at eight in the evening to my office', 'what is in the box', 'can I refuse it', 'is it insured'],
  },
];
