import type { EventStream } from '../../persistence/stream/stream.ts'

/** Events go nowhere. */
export const noWebhooks: EventStream = { publish: async () => undefined }
