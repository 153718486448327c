/** The reader's own phone may ring at any hour. */
export const ANY_TIME = {
  call_time: {
    call_start_time: '00:00',
    call_end_time: '00:00',
    timezone: 'UTC',
    use_callee_timezone: false,
  },
};
