import type { ActorDefinition } from '../../kernel/actor.ts'
import { contextId } from '../../kernel/context.ts'
import type { Draft } from '../../kernel/draft.ts'
import { bounds } from '../../shared/bounds.ts'
import { dayMs } from '../../shared/calendar.ts'
import type { AccountId, CardRetryId } from '../../shared/ids.ts'

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly cardRetries: CardRetryBudget
  }
  interface ActorFacts {
    readonly cardRetries: CardRetryFact
  }
}

/**
 * Counts the declines of one card over all invoices. Card schemes fine merchants who retry a card too often (decisions,
 * section 4). Tries made by the payer are not counted.
 */
export type CardRetryBudget = {
  readonly id: CardRetryId
  readonly accountId: AccountId
  /** Fingerprint of the card's token. */
  readonly tokenFingerprint: string
  /** The newest declines in order of time, at most as many as the limit. */
  readonly failedAtMs: readonly number[]
  readonly createdAtMs: number
}

/** One more decline. It carries the whole state, so the latest fact alone is enough. */
export type CardRetryFact = {
  readonly actor: 'cardRetries'
  readonly type: 'CardDeclineCounted'
  readonly id: CardRetryId
  readonly card: Omit<CardRetryBudget, 'id'>
}

export const cardRetryKind: ActorDefinition<CardRetryBudget, CardRetryFact> = {
  prefix: 'crd',
  evolve: (_, { id, card }) => ({ id, ...card }),
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: () => '',
  lookupKeys: ({ tokenFingerprint }) => [tokenFingerprint],
  isSnapshot: () => true,
}

/** Counts one more decline of a card, keeping the newest ones up to the limit. */
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
      failedAtMs: [...(known?.failedAtMs ?? []), nowMs].slice(-bounds.cardDeclinesMax),
      createdAtMs: known?.createdAtMs ?? nowMs,
    },
  })
}

/**
 * Whether the card has used up its retries. Declines in the future, left by a Sandbox clock that was put back, do not
 * count.
 */
export const isRetryLimitReached = (draft: Draft, tokenFingerprint: string): boolean => {
  const { nowMs } = draft.context
  const tries = draft
    .lookup('cardRetries', tokenFingerprint)
    .flatMap(({ failedAtMs }) => failedAtMs)
    .filter((atMs) => atMs > nowMs - bounds.cardDeclinesWithinDays * dayMs && atMs <= nowMs)
  return tries.length >= bounds.cardDeclinesMax
}
