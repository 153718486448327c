import booking from './appointment-booking.json' with { type: 'json' };
import reminder from './appointment-reminder.json' with { type: 'json' };
import callback from './callback-request.json' with { type: 'json' };
import lead from './lead-qualification.json' with { type: 'json' };
import order from './order-status.json' with { type: 'json' };
import payment from './payment-reminder.json' with { type: 'json' };
import support from './support-triage.json' with { type: 'json' };
import survey from './survey.json' with { type: 'json' };

/** Scenarios of the templates of assistants, five for each, as documents. */
export const SHIPPED_SCENARIOS: readonly object[] = [
  ...booking,
  ...reminder,
  ...callback,
  ...lead,
  ...order,
  ...payment,
  ...support,
  ...survey,
];
