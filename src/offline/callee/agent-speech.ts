/**
 * Phrase patterns of phone agents, the training text of the callee's language model. `(a | b)` is a choice, `[a]` is
 * optional. Questions have many variants; the other phrases only need to be acoustically distinct from them.
 */
export const AGENT_PATTERNS: readonly string[] = [
  // Openings
  '(hello|hi|good morning|good afternoon) [this is|my name is|i am] [maya|ben|the assistant] [the automated assistant|calling] (of|from|with) [the] (dental|city|company|clinic|hotel|library|bank|school|office)',
  '(is this|is now|is it) a good (moment|time) to (talk|speak)',
  'do you have a (minute|moment) [to talk|for me]',
  'am i (speaking|talking) (to|with)',
  'i am calling (to|about|because)',
  'we are calling (you|to|about|because) [confirm|remind you of|tell you about] [your|the] (appointment|order|delivery|booking|invoice|visit|reservation|payment|account)',
  // Acknowledgements
  '(okay|alright|great|sure|got it|thank you|perfect|good|fine|no problem|of course)',
  'sorry i did not [quite] (catch|understand|hear) (that|you)',
  "sorry i didn't [quite] (catch|get|hear) that",
  'could you [please] (repeat|say) that [again] [please]',
  'could you tell me (a little more about that|the number|your name|which day|what time|how many) [please]',
  // Days
  '[and|so|okay|alright|great|sure|on|for] (which|what) (day|date|weekday|day of the week) (would|does|will|could|might|should) (suit you|be best [for you]|be better [for you]|be good for you|work [best|better] [for you]|it be|we come|you like|you prefer)',
  '[and|so|okay|alright|great|sure|on|for] (which|what) (day|date|weekday|day of the week) (suits you [best|better]|works [best|better] [for you]|is (best|better|good) for you|do you prefer|do you want|can you come|can we|shall we|should we|would you (like|prefer|want) [to come|to visit|to book|to meet])',
  'what is the best (day|date|time) (for you|to call|to come|for your visit)',
  'when would (be a good time|you like|it suit you) (to come|to call [you] [back]|for you)',
  'when (can|could|should|shall) (you|we) (come|call [you] [back]|meet|expect you)',
  'can you tell me (which|what) (day|date|time) you (would like|prefer|want)',
  // Times
  '[and|so|okay|alright|great|sure|at] (what|which) (time|hour) (would|does|will|could|should) (suit you|be best [for you]|be better [for you]|be good for you|work [best|better] [for you]|it be|we come|you like|you prefer|we call [you] [back]|you come)',
  '[and|so|okay|alright|great|sure|at] (what|which) time (suits you [best|better]|works [best|better] [for you]|is (best|better|good) for you|do you prefer|do you want|can you come|can we|shall we|should (we|i|our)|would you (like|prefer|want) [to come|to visit|to book|to meet]|will you (come|arrive|be))',
  // Counts
  '[and|so|okay] how many (people|guests|persons|rooms|tickets|nights|days|children|adults|times|of you|items|pieces|seats|years|would you like|do you (need|want|have)|are you|please)',
  '[and|so] how many (people|guests|persons|rooms|tickets|nights|days|children|adults|items|seats|years) (will (there be|you be|you need|you stay|come)|do you (need|want|have)|would you like [to (order|book|have)]|are (there|you|coming)|should (we|i) (book|expect)|have you)',
  'how much (would you like|do you want|is|are|did you)',
  'on a scale (of|from) one to (five|ten) (how (satisfied|happy|likely|would you)|what)',
  '(please rate|how would you rate|rate) (our|the|your) (service|visit|experience|stay|product) [on a scale] [of|from] [one to (five|ten)]',
  'from one to (five|ten) how (satisfied|happy|likely|good) (are|were|was) (you|it)',
  // Else
  '[is there] anything else [that] (i can (help you with|do for you)|you would like [to know]|you need|we can do for you|we should know) [today]',
  '[is there] anything else',
  '(do|did) you have any [other|more|further] questions [for (me|us)]',
  'any other questions',
  'can i help you with (anything|something) else',
  // Confirmation
  'you said (monday|tuesday|wednesday|thursday|friday|saturday|sunday|one|two|three|four|five|ten|yes|no|morning|afternoon|evening) right',
  'did you say (monday|tuesday|wednesday|thursday|friday|three|ten|yes|no)',
  'that is (monday|tuesday|wednesday|thursday|friday|three|ten|nine in the morning) (correct|right)',
  'let me confirm (monday|tuesday|wednesday|three|nine) [in the (morning|afternoon|evening)]',
  'so (that is|the appointment is|i have you down for|it is) [on] (monday|tuesday|wednesday|thursday|friday|saturday|sunday) [at (nine|ten|eleven|twelve|one|two|three|four|five|six|seven|eight)]',
  'is (that|this|it) (right|correct|okay [for you])',
  // Yes/no
  'can you (make it|come|hear me|confirm (that|this|your))',
  'shall (we|i) (send you|go on|book|call you [back]|put you) [a reminder] [by (text message|email|phone)]',
  '(may|should|can) (we|i) (send|call|ask|help) you [an email] [with the details]',
  'would you (like|be interested in|be able) (to|a|us to|me to)',
  'are you (still there|interested|able|coming|at home)',
  'have you (received|paid|seen|been|had|already)',
  'do you (still|want|need|agree|know|like|remember|live) [to|in|at|the|that|it]',
  'will you (come|be there|be able to) [today|tomorrow]',
  'is (the|your) (address|number|order|car) (still|ready|right)',
  'does that (work|suit you|sound good) [for you]',
  'how may i help you',
  // Choice
  'would you like a (morning|afternoon|evening) or (a|an) (morning|afternoon|evening) (appointment|visit|slot|one)',
  '[is it|should it be|would it be|do you prefer|would you prefer] [in] the (morning|afternoon|evening) or [in] the (morning|afternoon|evening) [better [for you]]',
  '(morning|afternoon|evening) or (morning|afternoon|evening)',
  'is [a|the] (morning|afternoon) or [an|the] (afternoon|evening) (better|best) [for you]',
  'would the (morning|afternoon|evening) be better',
  'the morning the afternoon or the evening',
  // Goodbye
  'thank you [very much|so much] [for your (time|help|patience|call)] goodbye',
  'thank you for your (time|help) goodbye',
  'thank you have a (good|great|nice|lovely) (day|evening|weekend) goodbye',
  '(thank you|thanks) for (your (time|help|call)|calling) have a (good|great|nice|lovely) (day|evening)',
  'have a (good|great|nice|lovely) (day|evening|weekend)',
  'we will call you [back] (later|again|then|tomorrow) goodbye',
  'we will not call you again goodbye',
  '(goodbye|bye|bye bye|take care|see you (then|soon|on))',
  '(goodbye|bye) (and (take care|have a good day|thank you)|for now)',
  'we look forward to seeing you [then|soon|on] (goodbye|bye)',
  // Name
  '(may i have|could i have|what is|please tell me|can you tell me) your [full] name [please]',
  'could you tell me your name [please]',
  'who am i (speaking|talking) (to|with)',
  'what was your name',
  // Statements
  'you have a (check up|appointment|visit|meeting|reservation|booking) with us (on|next week|tomorrow|today)',
  'on (monday|tuesday|wednesday|thursday|friday|saturday|sunday) at (nine|ten|eleven|twelve|one|two|three|four|five) [in the (morning|afternoon)]',
  'we are open from (eight|nine|ten) to (five|six|seven)',
  'your (order|car|parcel|package|table|room) is (ready|on its way)',
  'press one for yes or two for no',
  'i will wait',
  'i am sorry i cannot (answer that|connect you to a person) right now',
  'please (hold|wait|bring|use your keypad|enter the number)',
  'sure take your time',
  'i am here',
  'you are welcome',
  'no problem let us go over it again',
  'we would like to (find|invite|ask|know|thank|offer|remind)',
];

/** Background vocabulary: keeps other speech from being recognised as one of the questions. */
export const OTHER_WORDS: readonly string[] = (
  'a about after again all also always an and any are as at back be because been before best better ' +
  'big book but buy by call came can car city close come could customer delivery did different do ' +
  'doctor does done door down driver each early email end even every expect find first five food ' +
  'for form four free from get give go going good had half has have he help her here him his home ' +
  'hour house how i if in insurance is it its just keep know last later left less let like list ' +
  'little live long look made mail make many me medical meet might minutes moment money more most ' +
  'much must my near need new next nine no none not now number of off office often old on one only ' +
  'open opposite or order other our out over own park part pay pizza place plan please possible ' +
  'price problem put question rather ready really receive recommend remember restaurant river room ' +
  'same say see seen send service seven she short should show six so some something soon still ' +
  'street such sure table take talk tell ten than thank that the their them then there these they ' +
  'thing think this thirty three through time to today together tomorrow too twelve twenty two ' +
  'under until up us use very visit wait want was way we week welcome well were what when where ' +
  'which while who why will with without word work would year yes yesterday yet you your party ' +
  "friend friends card minute closed holiday driver's text message short building arrive behind " +
  'parking satisfied happy likely automated assistant colleague demonstration'
).split(' ');
