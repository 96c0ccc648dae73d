// The OpenAPI document and its reference pages, generated from routes and schemas, with recorded examples.
import { Worker } from 'node:worker_threads'
import type { Audience } from './audience.ts'

/**
 * Builds the OpenAPI document for an audience in a thread of its own, which ends with it. Rendering all samples in a thread that
 * serves would train the compiler on values that requests never have: every answer would then take a tenth longer.
 */
export const buildDocument = (audience: Audience): Promise<string> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./document-thread.js', import.meta.url), { workerData: audience })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.unref()
  })
