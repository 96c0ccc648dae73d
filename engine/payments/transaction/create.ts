import { linkCustomer } from '../../customers/link.ts'
import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { splitFor, splitOfPlan, useRule } from '../../recipients/register.ts'
import type { CreateCharge } from './commands.ts'
import { writeTransaction } from './write.ts'

/** A charge, and who pays it. Invoices are collected by it, too. */
export const createTransaction = (command: CreateCharge, draft: Draft): Rejection | null => {
  const linked = linkCustomer(draft, command)
  if (!linked.ok) return linked.rejection
  const { splitRuleId, collects, amountCents } = command
  const divided =
    collects === null ? splitFor(draft, splitRuleId, amountCents) : splitOfPlan(draft, splitRuleId)
  if ('rejection' in divided) return divided.rejection
  draft.add(...linked.registered)
  if (splitRuleId !== null) useRule(draft, splitRuleId)
  return writeTransaction(draft, undefined, command, { payer: linked.payer, split: divided.split })
}
