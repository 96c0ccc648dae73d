import { Worker } from 'node:worker_threads'
import type { DocumentAsked } from '../openapi/audience.ts'
import type { Language } from '../problems/language.ts'

/** A text that is built from routes and pages on the first request for it: an OpenAPI document, or the index of the search in a language. */
export type TextAsked =
  | ({ readonly kind: 'document' } & DocumentAsked)
  | { readonly kind: 'search'; readonly language: Language }

/**
 * Builds a text in a thread of its own, which ends with it. Rendering all samples in a thread that serves would train the compiler on
 * values that requests never have: every answer would then take a tenth longer. What is read for it, the Portuguese texts above all,
 * leaves with the thread.
 */
export const buildText = (asked: TextAsked): Promise<string> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./text-thread.js', import.meta.url), { workerData: asked })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.unref()
  })
