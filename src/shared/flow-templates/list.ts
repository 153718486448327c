import { APPOINTMENT_BOOKING } from './appointment-booking.ts';
import { APPOINTMENT_REMINDER } from './appointment-reminder.ts';
import { CALLBACK_REQUEST } from './callback-request.ts';
import { LEAD_QUALIFICATION } from './lead-qualification.ts';
import { ORDER_STATUS } from './order-status.ts';
import { PAYMENT_REMINDER } from './payment-reminder.ts';
import { SUPPORT_TRIAGE } from './support-triage.ts';
import { SURVEY } from './survey.ts';
import type { FlowTemplate } from './template.ts';

export const FLOW_TEMPLATES: readonly FlowTemplate[] = [
  APPOINTMENT_BOOKING,
  APPOINTMENT_REMINDER,
  LEAD_QUALIFICATION,
  SURVEY,
  ORDER_STATUS,
  PAYMENT_REMINDER,
  SUPPORT_TRIAGE,
  CALLBACK_REQUEST,
];
