/** What an agent knows, and questions that its authors did not word: `asks` by the statement's place, `unknown` without one. */
export interface HeldOutAgent {
  readonly knows: readonly string[];
  readonly asks: readonly (readonly [question: string, statement: number])[];
  readonly unknown: readonly string[];
}

/** Written after the search was finished; no threshold was chosen on them. */
export const HELD_OUT: Readonly<Record<string, HeldOutAgent>> = {
  restaurant: {
    knows: [
      'The kitchen is open from noon until ten at night, and closed on Mondays.',
      'Tables for more than eight people need a deposit of twenty euros a head.',
      'Every dish without meat has a green leaf on the menu.',
      'Well-behaved dogs may come along to the terrace.',
      'The tram stop Market Square is two minutes away.',
      'We do not accept cheques; cards and cash are fine.',
      'The tasting menu has seven courses and takes three hours.',
      'A room upstairs can be hired for weddings and birthdays.',
      'High chairs are kept beside the entrance.',
      'Guests with allergies should tell the waiter before ordering.',
    ],
    asks: [
      ['until when can we get something to eat in the evening', 0],
      ['are you serving on a monday', 0],
      ['we would be twelve, do we pay something up front', 1],
      ['is there anything for vegetarians', 2],
      ['can i bring my dog', 3],
      ['how do we reach you by public transport', 4],
      ['do you take visa', 5],
      ['how long are we going to sit for the tasting menu', 6],
      ['could we celebrate my fiftieth with you in a separate room', 7],
      ['have you got a seat for a toddler', 8],
      ['my wife cannot eat nuts, what should she do', 9],
    ],
    unknown: [
      'do you have live music',
      'who is the chef',
      'can i buy a gift voucher',
      'is smoking allowed',
      'do you deliver to my home',
      'what is the wifi password',
    ],
  },
  garage: {
    knows: [
      'An oil change costs ninety pounds and is done while you wait.',
      'Winter tyres are stored for forty pounds a season.',
      'A replacement car is free during repairs that take longer than a day.',
      'The annual inspection can be booked online.',
      'We repair every make except Tesla.',
      'Keys can be dropped in the box at the gate after hours.',
      'Repairs come with a guarantee of two years.',
      'Students get ten per cent off labour.',
      'Windscreens are replaced at your home by our mobile team.',
      'A breakdown truck is on call day and night.',
    ],
    asks: [
      ['what would you charge for fresh oil', 0],
      ['can you keep my snow tyres over the summer', 1],
      ['do i get another vehicle while mine is with you', 2],
      ['how do i arrange the yearly check', 3],
      ['do you work on electric cars by tesla', 4],
      ['i finish late, where do i leave the keys', 5],
      ['what if the same fault comes back next year', 6],
      ['is it cheaper for somebody at university', 7],
      ['a stone hit my front glass, would you come to me', 8],
      ['i am stranded on the motorway at midnight, can somebody fetch me', 9],
    ],
    unknown: [
      'do you sell used cars',
      'can you repaint my door',
      'what is your fax number',
      'do you wash the car afterwards',
      'are you hiring mechanics',
      'where can i get a coffee',
    ],
  },
  internet: {
    knows: [
      'The router restarts when its button is held for ten seconds.',
      'Contracts run for one year and then end with a month of notice.',
      'Moving house is free if the new address has our cable.',
      'Bills are sent by email on the third of each month.',
      'A technician comes within two working days.',
      'The fastest plan has one gigabit and costs fifty dollars.',
      'Calls to mobile phones are not included.',
      'Unpaid bills lead to a block after thirty days.',
      'Equipment has to be returned within two weeks of the end of the contract.',
      'Parents can block websites in the app.',
    ],
    asks: [
      ['how can i reboot the box', 0],
      ['when am i able to leave you', 1],
      ['i am changing apartments in june, what does that cost', 2],
      ['on what date do i get my invoice', 3],
      ['how quickly can someone come and fix the line', 4],
      ['what is the price of your quickest connection', 5],
      ['is phoning a cell phone part of the plan', 6],
      ['what happens if i do not pay', 7],
      ['do i have to send the modem back when i quit', 8],
      ['can i stop my kids from seeing certain pages', 9],
    ],
    unknown: [
      'do you offer television channels',
      'can i get a fixed ip address',
      'who owns the company',
      'do you sell laptops',
      'is the office open on sunday',
      'how much is electricity',
    ],
  },
};
