import { passage, type Trade } from './trade.ts';

export const MORE_TRADES: readonly Trade[] = [
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
    unanswered: ['do you iron shirts', 'can you clean on Christmas', 'how much is carpet cleaning'],
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
        passage(
          'Visit',
          'The museum is open from Tuesday to Sunday, ten to six. On Mondays it is closed. Last entry is at five.',
        ),
        passage(
          'Tickets',
          'Adults pay fourteen dollars. Children under sixteen enter free. On the first Sunday of the month everybody enters free.',
        ),
        passage(
          'Tours',
          'A guided tour lasts ninety minutes and costs five dollars more. Tours in Spanish are held on Fridays.',
        ),
        passage(
          'Good to know',
          'Photographs without a flash are welcome. Large bags must be left in a locker. The cafe in the courtyard serves lunch.',
        ),
        passage(
          'Access',
          'Every floor can be reached by wheelchair. Wheelchairs can be borrowed at the entrance.',
        ),
        passage(
          'Arrival',
          'The tram stop Museum Square is in front of the door. There is no parking at the house.',
        ),
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
    unanswered: [
      'who sent it',
      'can you come at eight in the evening to my office',
      'what is in the box',
      'can I refuse it',
      'is it insured',
    ],
  },
];
