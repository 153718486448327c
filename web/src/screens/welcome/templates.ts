import { FLOW_TEMPLATES } from '../../../../src/shared/flow-templates/list.ts';
import type { FlowTemplate } from '../../../../src/shared/flow-templates/template.ts';
import type { IconName } from '../../ui/icon-shapes.ts';

const ICONS: Readonly<Record<string, IconName>> = {
  appointment_reminder: 'calendar-check',
  appointment_booking: 'calendar-plus',
  payment_reminder: 'wallet',
  lead_qualification: 'list-filter',
  survey: 'star',
  order_status: 'package',
  callback_request: 'phone-call',
  support_triage: 'life-buoy',
};

/** The cards of the first step, each with its icon; those that call people come first. */
export const CARDS: readonly { readonly template: FlowTemplate; readonly icon: IconName }[] =
  FLOW_TEMPLATES.map((template) => ({ template, icon: ICONS[template.id] ?? 'bot' })).toSorted(
    (a, b) => Number(a.template.type === 'inbound') - Number(b.template.type === 'inbound'),
  );

/** Values for a first call: those of the template's first test case, if there is one, without a name to type. */
export const firstValues = (template: FlowTemplate | undefined): Readonly<Record<string, string>> => ({
  callee_name: 'Priya',
  ...template?.cases[0]?.custom_args_values,
});
