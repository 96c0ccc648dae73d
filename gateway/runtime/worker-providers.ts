import { environmentOf, newId } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import { delay, timeout } from '../base/delay.ts'
import type { Router } from '../link/router.ts'
import type { Metrics } from '../observability/metrics.ts'
import { watchProviderCalls } from '../observability/watch-calls.ts'
import type { CardTokens } from '../providers/card-tokens.ts'
import type { ConnectedProvider } from '../providers/connected.ts'
import { openProviderDriver, type ProviderDriver } from '../providers/driver.ts'
import { openInbound } from '../providers/inbound.ts'
import { everyProvider } from '../providers/index.ts'
import type { Notice, NoticeOutcome } from '../providers/notice.ts'
import type { WorkerBase } from './worker-base.ts'

/** Opens the driver of a worker, which calls banks and acquirers for its shards. */
export const openWorkerDriver = (
  { providers, rails, log, tracing }: WorkerBase,
  router: Router,
  metrics: Metrics,
  cardTokens: Pick<CardTokens, 'revealed'>,
): ProviderDriver =>
  openProviderDriver({
    providers,
    byConnection: rails.byConnection,
    revealed: cardTokens.revealed,
    execute: router.execute,
    later: setImmediate,
    stopwatch: () => performance.now(),
    sliceMs: bounds.providerAnswersSliceMs,
    wait: delay,
    timeout,
    answerTimeoutMs: bounds.providerTimeoutMs,
    repeatTimeoutMs: bounds.providerRepeatTimeoutMs,
    retryMs: bounds.providerRetryMs,
    onFault: (error, { reference, operation }) =>
      log.error({ err: error, reference, operation }, 'a provider failed'),
    onAlert: (alert) => {
      metrics.onProviderAlert(alert.kind)
      if (alert.kind === 'BREAKER_CLOSED') log.info(alert, 'a provider answers once more')
      else log.error(alert, 'a provider needs a person')
    },
    watch: watchProviderCalls(metrics, tracing),
  })

/** Listens to what banks and acquirers report unasked; returns a function that ends it. */
export const listenToProviders = (
  { providers, log, entropy }: WorkerBase,
  router: Router,
  metrics: Metrics,
): (() => void) => {
  const takeNotice = openInbound({
    providers,
    execute: router.execute,
    query: router.query,
    newTransactionId: () => newId('txn', Date.now(), entropy),
    onTaken: (provider, notice, outcome) => {
      const { accountId, kind } = notice
      metrics.onNotice({ environment: environmentOf(accountId), kind, outcome: outcome.type })
      if (outcome.type === 'TAKEN' || outcome.type === 'REPEAT') return
      log.error(troubleOf(provider, notice, outcome), 'a provider reported money that no charge can take')
    },
  })
  const ends = [...everyProvider(providers)].map((provider) =>
    provider.instance.listen?.((notice) => takeNotice(provider, notice)),
  )
  return () => {
    for (const end of ends) end?.()
  }
}

const troubleOf = (
  { module: { name: provider } }: ConnectedProvider,
  notice: Notice,
  outcome: NoticeOutcome,
): object => {
  const { accountId, kind } = notice
  const reference = kind === 'PIX_IN' ? (notice.endToEndId ?? notice.pays?.id) : notice.transactionId
  return { provider, accountId, kind, reference, outcome }
}
