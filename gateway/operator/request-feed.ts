import type { Directory } from '../../engine/companies/directory.ts'
import type { RequestLine } from '../api/api.ts'
import { bounds } from '../base/bounds.ts'
import { companyAt } from '../operations/account/company-operations.ts'
import { type Input, refuseOthers } from '../operations/input.ts'
import { refuseInvalid } from '../problems/refusal.ts'
import type { LongOperation } from './long-operations.ts'

/** Calls back for every request that this process answers, until the returned function is called. */
export type WatchRequests = (onAnswered: (line: RequestLine) => void) => () => void

/**
 * Sends a watcher the requests that this process answers. Requests do not wait for it: those that a slow watcher misses are
 * counted.
 */
export const requestFeed =
  (options: {
    readonly directory: Directory
    readonly watchRequests: WatchRequests
    readonly realNow: () => number
    readonly wait: (ms: number) => Promise<void>
  }): LongOperation =>
  async (input, { send, isBehind, signal }) => {
    refuseOthers(input, ['company', 'status'])
    const company = input.company === undefined ? null : companyAt(options.directory, input, 'company')
    const hasStatus = statusFilterOf(input)
    let missed = 0
    const stop = options.watchRequests((line) => {
      if (company !== null && line.companyId !== company.id) return
      if (!hasStatus(line.status)) return
      if (isBehind()) missed += 1
      else send({ object: 'request', atMs: options.realNow(), ...line })
    })
    try {
      send({ object: 'request_feed' })
      while (!signal.aborted) {
        await options.wait(bounds.feedPauseMs)
        if (missed === 0 || isBehind()) continue
        send({ object: 'missed', requests: missed })
        missed = 0
      }
    } finally {
      stop()
    }
    return { object: 'request_feed', ended: true }
  }

/** Reads `404`, `4xx`, or several of them separated by commas. */
const statusFilterOf = ({ status }: Input): ((status: number) => boolean) => {
  if (status === undefined) return () => true
  const wanted = String(status)
    .split(',')
    .map(
      (text) =>
        /^([1-5])(xx|[0-9]{2})$/i.exec(text.trim()) ?? refuseInvalid('status must be as 404, 4xx or 4xx,5xx'),
    )
  return (found) =>
    wanted.some(([text, family]) =>
      /xx$/i.test(text) ? Math.floor(found / 100) === Number(family) : found === Number(text),
    )
}
