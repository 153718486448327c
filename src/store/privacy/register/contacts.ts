import { erasedBy, stays, withRow } from './columns.ts';
import type { PersonalTable } from './register.ts';

const OPT_OUT = 'without the entry the person could be called again';
const ROWS = 'rows with the number, in any spelling, are deleted; other rows stay';
const OWN_WORDS = 'it is the text of the operator';

export const CONTACT_TABLES = {
  campaign_messages: {
    holds:
      'contacts of WhatsApp campaigns. A waiting message is cancelled; the row stays, because it is counted',
    number: 'to_number',
    exporting: 'rows',
    facts: [
      'campaign_id',
      'status',
      'sub_status',
      'state',
      'created_at',
      'sent_at',
      'delivered_at',
      'read_at',
      'answered_at',
    ],
    order: 'created_at, id',
    columns: {
      to_number: erasedBy('number', 'deleted', 'contact_days'),
      callee_name: erasedBy('name', 'deleted', 'contact_days'),
      args: erasedBy('values', 'deleted', 'contact_days'),
      text: erasedBy('words that were sent', 'deleted', 'contact_days'),
      customer: erasedBy('id of the person in the channel', 'deleted', 'contact_days'),
      external_id: stays('id of the message in the channel', 'statuses of the channel arrive by it'),
    },
  },
  campaign_upload_pieces: {
    holds: 'files of contact lists',
    exporting: {
      by: 'refused rows with the number, in any spelling. An unread list has them only once it is imported, within minutes: export again then',
    },
    columns: {
      content: erasedBy(
        'bytes of an unread list; refused rows for download',
        `the erasure waits for the import, which deletes the bytes and makes contacts of the rows; of refused rows, ${ROWS}. Those of a list that \`campaign/save\` refused are deleted after a day`,
      ),
    },
  },
  campaign_uploads: {
    holds: 'reports of contact lists',
    exporting: { leftOut: 'the export has the refused rows themselves' },
    columns: {
      report: erasedBy('refused rows', `${ROWS}; counts stay`),
      plan: stays('names of the columns and fields of the list', OWN_WORDS),
    },
  },
  do_not_call: {
    holds: 'do-not-call list of the workspace',
    number: 'number',
    exporting: 'rows',
    facts: ['created_at'],
    order: 'number',
    columns: {
      number: stays('number', OPT_OUT),
      reason: stays('reason', OPT_OUT),
    },
  },
  campaign_do_not_call: {
    holds: 'do-not-call lists of campaigns',
    number: 'number',
    exporting: 'rows',
    facts: ['campaign_id', 'created_at'],
    order: 'number, campaign_id',
    columns: {
      number: stays('number', OPT_OUT),
      reason: stays('reason', OPT_OUT),
    },
  },
  erasures: {
    holds: 'erasures',
    exporting: { by: 'when the number was to be erased, without other numbers of the same request' },
    columns: {
      mobile_numbers: erasedBy('numbers to erase', 'deleted when every call was found'),
    },
  },
  tombstone_queue: {
    holds: 'what the list of tombstones does not hold yet',
    exporting: { leftOut: 'a row lasts for seconds and repeats an erasure or an opt-out' },
    columns: {
      subject: erasedBy('number, or id', 'the row is deleted within about two seconds, once the list has it'),
    },
  },
  opted_out: {
    holds: 'opt-outs after the backup that was restored',
    exporting: { by: 'the number, if its HMAC is there' },
    columns: { digest: stays('HMAC of a number', OPT_OUT) },
  },
  agent_test_results: {
    holds:
      'results of test cases that were saved from calls or chats, also after the case was deleted; other cases are texts of the operator',
    call: 'source_id',
    chat: 'source_id',
    exporting: 'rows',
    facts: ['state', 'end_reason', 'started_at', 'ended_at'],
    order: 'run_id, case_id',
    columns: {
      definition: withRow('the case as it was', 'test_days'),
      turns: withRow('conversation', 'test_days'),
      verdicts: withRow('verdicts and their reasons', 'test_days'),
      error: withRow("words of a vendor's fault", 'test_days'),
    },
  },
  rehearsals: {
    holds:
      'rehearsals whose caller is that of a finished call; other scenarios are texts of the operator. The judged calls, the conversations and the recorded lines go with their rehearsal',
    call: 'source_id',
    exporting: 'rows',
    facts: ['state', 'started_at', 'ended_at'],
    order: 'id',
    columns: {
      scenarios: withRow('words of the caller, variables', 'test_days'),
      result: withRow('verdicts and their reasons', 'test_days'),
    },
  },
  agent_test_cases: {
    holds: 'test cases that were saved from calls or chats; other cases are texts of the operator',
    call: 'source_id',
    chat: 'source_id',
    exporting: 'rows',
    facts: ['created_at'],
    order: 'id',
    columns: {
      name: withRow('name'),
      definition: withRow('lines of a caller, variables, answers of tools'),
    },
  },
} as const satisfies Readonly<Record<string, PersonalTable>>;
