/** The tool by which the model of a flow's step goes on with another one. */
export const GO_TO_STEP = 'go_to_step';
