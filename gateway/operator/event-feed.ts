import type { Directory } from '../../engine/companies/directory.ts'
import type { ListedEvents } from '../../engine/events/queries.ts'
import { eventTypes, heardByDefault, type PublicEvent } from '../../engine/kernel/event-types.ts'
import type { Handler } from '../../engine/kernel/handler.ts'
import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import { accountIdOf } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import { eventBody } from '../events/body.ts'
import { choicesOf, optionalEnvironmentOf, refuseOthers } from '../operations/input.ts'
import { fiscalPayeeOf } from '../resources/payments/fiscal.ts'
import { onlyCompany } from './call-route.ts'
import type { LongOperation } from './long-operations.ts'

/**
 * Sends a watcher the events of a company as they happen, with the exact bytes that endpoints get, until the watcher leaves.
 * Events are read from the journal, so none is missed or repeated, and a slow watcher delays only itself.
 */
export const eventFeed =
  (options: {
    readonly directory: Directory
    readonly router: Pick<Handler, 'query'>
    readonly realNow: () => number
    readonly wait: (ms: number) => Promise<void>
  }): LongOperation =>
  async (input, { send, isBehind, signal }) => {
    const { directory, router, realNow, wait } = options
    refuseOthers(input, ['company', 'environment', 'events', 'extraEvents'])
    const company = onlyCompany(directory, input)
    const environment = optionalEnvironmentOf(input) ?? 'SANDBOX'
    const types: readonly string[] = choicesOf(input, 'events', eventTypes) ?? []
    const isWanted = ({ type }: PublicEvent): boolean =>
      types.length === 0 ? heardByDefault(type, input.extraEvents === true) : types.includes(type)
    const accountId = accountIdOf(company.id, environment)
    const fromMs = realNow()
    let after: number | null = null
    send({ object: 'event_feed', companyId: company.id, environment })
    const pause = (): Promise<void> => wait(bounds.feedPauseMs)
    while (!signal.aborted) {
      const page: ListedEvents | null = await router
        .query({ type: 'ListEvents', accountId, fromMs, toMs: endless, after })
        .catch(ifUnavailable)
      for (const event of page?.events.filter(isWanted) ?? []) {
        const body = eventBody(event, environment, fiscalPayeeOf(directory, company.id)).toString()
        send({ object: 'event', id: event.id, type: event.type, atMs: event.atMs, environment, body })
      }
      after = page?.end ?? after
      if (!page?.next) await pause()
      while (isBehind() && !signal.aborted) await pause()
    }
    return { object: 'event_feed', ended: true }
  }

/** While a shard is recovering or has no owner, the feed pauses; then it goes on where it was. */
const ifUnavailable = (error: unknown): null => {
  if (error instanceof ShardUnavailable) return null
  throw error
}

const endless = Number.MAX_SAFE_INTEGER
