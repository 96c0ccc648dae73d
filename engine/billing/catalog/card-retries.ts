import type { ActorDefinition } from '../../kernel/actor.ts'
import { contextId } from '../../kernel/context.ts'
import type { Draft } from '../../kernel/draft.ts'
import type { AccountId, CardRetryId } from '../../shared/ids.ts'

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly cardRetries: CardRetryBudget
  }
  interface ActorFacts {
    readonly cardRetries: CardRetryEvent
  }
}

/**
 * A card that was declined for invoices. Card schemes count how often one is tried again, and fine those who try more
 * (decisions, section 4): what counts is the card, whichever invoice it was tried for. What a payer tries is not counted.
 */
export type CardRetryBudget = {
  readonly id: CardRetryId
  readonly accountId: AccountId
  /** Of its token. */
  readonly tokenFingerprint: string
  /** When it was declined, in that order: the newest times, as many as the limit. */
  readonly failedAtMs: readonly number[]
  readonly createdAtMs: number
}

/** Declined once more: the whole state, so that one fact is enough to know it. */
export type CardRetryEvent = {
  readonly actor: 'cardRetries'
  readonly type: 'CardDeclineCounted'
  readonly id: CardRetryId
  readonly card: Omit<CardRetryBudget, 'id'>
}

export const cardRetryKind: ActorDefinition<CardRetryBudget, CardRetryEvent> = {
  prefix: 'crd',
  evolve: (_, { id, card }) => ({ id, ...card }),
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: () => '',
  lookupKeys: ({ tokenFingerprint }) => [tokenFingerprint],
  isSnapshot: () => true,
}

const triesMax = 15
const triesForMs = 30 * 86_400_000

export const countTry = (draft: Draft, tokenFingerprint: string): void => {
  const { nowMs } = draft.context
  const [known] = draft.lookup('cardRetries', tokenFingerprint)
  draft.add({
    actor: 'cardRetries',
    type: 'CardDeclineCounted',
    id: known?.id ?? contextId(draft.context, 'crd'),
    card: {
      accountId: draft.account().id,
      tokenFingerprint,
      failedAtMs: [...(known?.failedAtMs ?? []), nowMs].slice(-triesMax),
      createdAtMs: known?.createdAtMs ?? nowMs,
    },
  })
}

/** Whether it was tried as often as it may be. A Sandbox clock that was put back has tries ahead of it: they do not count. */
export const isRetryLimitReached = (draft: Draft, tokenFingerprint: string): boolean => {
  const { nowMs } = draft.context
  const tries = draft
    .lookup('cardRetries', tokenFingerprint)
    .flatMap(({ failedAtMs }) => failedAtMs)
    .filter((atMs) => atMs > nowMs - triesForMs && atMs <= nowMs)
  return tries.length >= triesMax
}
