import type { Decider, Deciders } from '../kernel/decider.ts'
import { factOf } from '../kernel/fact.ts'
import type { CallChainAgain, CryptoFolderCommand, RecordChainAnswer } from './commands.ts'
import { convert, recordConversion, recordQuote, requestQuote, resolveConversion } from './convert.ts'
import { recordReturn, resolveDeposit } from './resolve-deposit.ts'

/** Records the answer to a call. Answers to calls that are over, or from before a Sandbox reset, are ignored. */
const recordChainAnswer: Decider<RecordChainAnswer> = (draft, command) => {
  const { callId, answer } = command
  if ('depositId' in command) {
    const deposit = draft.find('cryptoDeposit', command.depositId)
    if (deposit === undefined) return { reason: 'NOT_FOUND', resource: 'crypto_deposit' }
    if (deposit.call?.id === callId) recordReturn(draft, deposit, answer)
  } else if ('quoteId' in command) {
    const quote = draft.find('conversionQuote', command.quoteId)
    if (quote === undefined) return { reason: 'NOT_FOUND', resource: 'conversion_quote' }
    if (quote.call?.id === callId) recordQuote(draft, quote, answer)
  } else {
    const conversion = draft.find('conversion', command.conversionId)
    if (conversion === undefined) return { reason: 'NOT_FOUND', resource: 'conversion' }
    if (conversion.call?.id === callId) recordConversion(draft, conversion, answer)
  }
  return null
}

/** Repeats a call with the same reference. */
const callChainAgain: Decider<CallChainAgain> = (draft, command) => {
  const { callId } = command
  if ('depositId' in command)
    draft.add({ type: 'ReturnSentAgain', callId, ...factOf(draft, 'cryptoDeposit', command.depositId) })
  else if ('conversionId' in command)
    draft.add({ type: 'ConversionAskedAgain', callId, ...factOf(draft, 'conversion', command.conversionId) })
  return null
}

/** Deciders for stablecoins that are no charges. */
export const cryptoDeciders: Deciders<CryptoFolderCommand> = {
  ResolveDeposit: resolveDeposit,
  RequestQuote: requestQuote,
  Convert: convert,
  ResolveConversion: resolveConversion,
  RecordChainAnswer: recordChainAnswer,
  CallChainAgain: callChainAgain,
  ForceRate: (draft, { asset, rateMicros, accountId }) => {
    draft.add({ type: 'RateForced', asset, rateMicros, ...factOf(draft, 'account', accountId) })
    return null
  },
}
