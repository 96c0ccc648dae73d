/** The steps of a create, in order. What each adds is told by a handler that does it and those before. */
export const floorSteps = ['turn', 'request', 'meaning', 'decision', 'journal', 'image', 'answer'] as const
export type FloorStep = (typeof floorSteps)[number]
