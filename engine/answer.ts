import { auditAnswers } from './audit/answers.ts'
import { billingAnswers } from './billing/answers.ts'
import { controlsAnswers } from './controls/deciders.ts'
import { cryptoAnswers } from './crypto/answers.ts'
import { customerAnswers } from './customers/answers.ts'
import { eventAnswers } from './event-answers.ts'
import type { Answerer, Answerers, QueryResult, Reader } from './kernel/reader.ts'
import type { Answers, Query } from './kernel/registry.ts'
import type { Work } from './kernel/work.ts'
import { ledgerAnswers } from './ledger/answers.ts'
import { noticeAnswers } from './notices/answers.ts'
import { overviewAnswers } from './overview-answers.ts'
import { paymentAnswers } from './payments/answers.ts'
import { splitAnswers } from './payouts/answers.ts'
import { searchAnswers } from './search-answers.ts'
import { statementAnswers } from './statement/read.ts'
import { supportAnswers } from './support/answers.ts'
import { transferAnswers } from './transfers/answers.ts'
import { viewAnswers } from './views/handlers.ts'
import { deliveryAnswers } from './webhooks/answers.ts'

/** Who answers each question. */
const answerers: Answerers<Query> = {
  ...ledgerAnswers,
  ...deliveryAnswers,
  ...customerAnswers,
  ...paymentAnswers,
  ...splitAnswers,
  ...cryptoAnswers,
  ...transferAnswers,
  ...statementAnswers,
  ...billingAnswers,
  ...eventAnswers,
  ...searchAnswers,
  ...overviewAnswers,
  ...auditAnswers,
  ...controlsAnswers,
  ...supportAnswers,
  ...noticeAnswers,
  ...viewAnswers,
}

/** Answers a question from memory. */
export const answer = function* (query: Query, reader: Reader): Work<QueryResult<Answers[Query['type']]>> {
  const answered = (answerers[query.type] as Answerer<Query>)(query, reader)
  return 'next' in answered ? yield* answered : answered
}
