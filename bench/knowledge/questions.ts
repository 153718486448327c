/** What a clinic's documents say, each with a caller's question for it in other words, one in five misspelt as heard. */
export const QUESTIONS: readonly { readonly says: string; readonly asks: string }[] = [
  {
    says: 'The practice opens at eight in the morning and closes at six in the evening.',
    asks: 'what are your opening times',
  },
  {
    says: 'On Saturdays the practice is open until noon. On Sundays it is closed.',
    asks: 'do you work at weekends, say saturday',
  },
  {
    says: 'Visitors park free of charge in the underground garage; the entrance is on Mill Street.',
    asks: 'is there free parking',
  },
  {
    says: 'A cleaning of the teeth takes forty minutes and costs eighty dollars.',
    asks: 'price for having my teeth cleaned',
  },
  {
    says: 'Appointments are cancelled at no cost up to one day before; later a fee of thirty dollars is due.',
    asks: 'cancelation charges',
  },
  {
    says: 'Payment is accepted by card, by bank transfer or in cash.',
    asks: 'which ways of paying do you accept',
  },
  {
    says: 'Larger treatments are paid in up to twelve monthly instalments without interest.',
    asks: 'can i pay by the month',
  },
  {
    says: 'Most insurers are billed directly. Please bring the insurance card to the first visit.',
    asks: 'are you dealing with my insurrance',
  },
  {
    says: 'Children under six are treated in a room of their own, with a parent beside them.',
    asks: 'is there something for my child',
  },
  {
    says: 'An emergency is seen on the same day. Outside the opening hours call the regional service.',
    asks: 'i have got an urgent emergancy',
  },
  {
    says: 'Wisdom teeth are removed under local anaesthesia; plan for two days of rest.',
    asks: 'having a wisdom tooth taken out',
  },
  {
    says: 'Nothing should be eaten for six hours before a general anaesthesia.',
    asks: 'may i eat before the anesthesia',
  },
  {
    says: 'Braces are adjusted every five weeks over about two years.',
    asks: 'how often do brace adjustments happen',
  },
  { says: 'Implants heal for three months before the crown is fixed on them.', asks: 'implant healing time' },
  { says: 'A root canal needs two visits of an hour each.', asks: 'number of visits for root canals' },
  {
    says: 'Whitening lightens the teeth by several shades and lasts about a year.',
    asks: 'does bleaching or whitener last',
  },
  {
    says: 'X-ray pictures are taken digitally and sent to another dentist on request.',
    asks: 'could you send my xrays to a colleague',
  },
  {
    says: 'The building has a lift, and all doors are wide enough for a wheelchair.',
    asks: 'accessible by wheel chair',
  },
  {
    says: 'Prescriptions are renewed by telephone and ready for collection the next morning.',
    asks: 'renewal of a prescription',
  },
  {
    says: 'Test results are told by the doctor in person, never by electronic mail.',
    asks: 'will you email the result of my test',
  },
  {
    says: 'New patients fill in a questionnaire about their health before the first examination.',
    asks: 'what forms does a new patient complete',
  },
  {
    says: 'Interpreters for Spanish and Hindi are booked free of charge three days ahead.',
    asks: 'can somebody interpret spanish',
  },
  {
    says: 'Complaints are answered in writing within ten working days.',
    asks: 'how do you handle complaining',
  },
  {
    says: 'Lost property is kept at the reception for three months.',
    asks: 'i left my umbrella at your receptionist',
  },
  { says: 'Records are kept for ten years and destroyed after that.', asks: 'how long is my record stored' },
  { says: 'Guarantees cover fillings for two years and crowns for five.', asks: 'is a filling guaranteed' },
  { says: 'Sedation with laughing gas is offered to anxious patients.', asks: 'i am afraid and very anxius' },
  {
    says: 'Mouthguards for sport are made to measure within a week.',
    asks: 'a guard for the mouth when playing',
  },
  {
    says: 'Pregnant patients are treated best between the fourth and the sixth month.',
    asks: 'treatment during pregnancy',
  },
  {
    says: 'Reminders are sent by text message two days before every appointment.',
    asks: 'will i be reminded',
  },
];
