/** The steps of a create, in order. To find the cost of a step, a handler does that step and those before it. */
export const floorSteps = ['turn', 'request', 'meaning', 'decision', 'journal', 'image', 'answer'] as const
export type FloorStep = (typeof floorSteps)[number]
