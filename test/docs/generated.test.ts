import t from 'tap'
import { stalePages } from './generated.ts'
import { generators } from './generators.ts'
import { isPostmanStale, notInCollection } from './postman.ts'

t.test('what pages say of the code is what the code says; npm run docs writes it', async (t) => {
  t.strictSame(stalePages(generators), [])
})

t.test('the Postman collection tells the story of the examples; npm run docs writes it', async (t) => {
  t.equal(isPostmanStale(), false)
  // What only people bring about is in no collection of a key.
  t.strictSame(notInCollection(), [
    'receiveUnmatchedSandboxPix',
    'compareSandboxDay',
    'resolveSandboxMedContest',
    'resolveSandboxConversion',
    'resolveSandboxCryptoWithdrawal',
    'approveSandboxTransfer',
    'resolveSandboxTransfer',
    'returnSandboxTransfer',
  ])
})
