/** A line for a shell, with what it is for. */
export type Line = { readonly title: string; readonly shell: string }

const json = (body: object): string => `'${JSON.stringify(body)}'`
const until = (path: string, what: string): string =>
  `until api ${path} | jq -e '${what}' > /dev/null; do sleep 1; done`
const paid = `bank /pay -d "{\\"code\\": $(echo "$CHARGE" | jq .copyPaste)}" > /dev/null`

/** What a shell has to know first: the addresses, the key, and how each of both is called. */
export const shellSetup = (addresses: {
  readonly api: string
  readonly key: string
  readonly bank: string
}): readonly string[] => [
  `export API=${addresses.api} KEY=${addresses.key} BANK=${addresses.bank}`,
  `api() { curl -s "$API$1" -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" "\${@:2}"; }`,
  `bank() { curl -s "$BANK$1" "\${@:2}"; }`,
]

const seller = {
  name: 'Ana Souza',
  document: '52998224725',
  bankCode: '341',
  branch: '0001',
  account: '12345-6',
}

/** The bank sends a PIX: the part of a recipient. Transfers of people need their second factor, so they are made in the dashboard. */
const outgoing: Line = {
  title: 'The bank sends a PIX: the part of a recipient of the sale',
  shell: `SELLER=$(api /v1/split/recipients -d ${json(seller)} | jq -r .id); RULE=$(api /v1/split/rules -d "{\\"name\\": \\"Loja\\", \\"items\\": [{\\"recipientId\\": \\"$SELLER\\", \\"percentBps\\": 8000}, {\\"percentBps\\": 2000}]}" | jq -r .id); CHARGE=$(api /v1/pix/charges -d "{\\"amount\\": 10000, \\"splitRuleId\\": \\"$RULE\\"}"); SALE=$(echo "$CHARGE" | jq -r .id); ${paid}; ${until('"/v1/split/transfers?transactionId=$SALE"', '.data[0].status == "COMPLETED"')}; api "/v1/split/transfers?transactionId=$SALE" | jq -c '.data[0] | {status, amount, endToEndId}'`,
}

/** The lines that people try, in this order: each is typed as it stands, and prints what became of it as JSON. */
export const linesFor = ({ sendsPix }: { readonly sendsPix: boolean }): readonly Line[] => [
  {
    title: 'Make a charge of Production and pay it at the bank',
    shell: `CHARGE=$(api /v1/pix/charges -d ${json({ amount: 1990 })}); ID=$(echo "$CHARGE" | jq -r .id); ${paid}; ${until('/v1/pix/charges/$ID', '.status == "APPROVED"')}; api /v1/pix/charges/$ID | jq -c '{id, status, paidAmount, endToEndId: .pix.endToEndId}'`,
  },
  {
    title: 'Refund a part of it',
    shell: `api /v1/transactions/$ID/refund -d ${json({ amount: 500 })} > /dev/null; ${until('/v1/pix/charges/$ID', '.refundedAmount == "500"')}; api /v1/pix/charges/$ID | jq -c '{status, refundedAmount}'`,
  },
  ...(sendsPix ? [outgoing] : []),
  {
    title: 'The bank says nothing: the charge is there, without a code (this takes eight seconds)',
    shell: `bank /faults -d ${json({ times: 99, does: { kind: 'silence', when: 'before' } })} > /dev/null; SILENT=$(api /v1/pix/charges -d ${json({ amount: 700 })}); echo "$SILENT" | jq -c '{status, copyPaste}'`,
  },
  {
    title: 'It answers once more: the same charge gets its code with the next repetition',
    shell: `bank /faults -X DELETE > /dev/null; ID=$(echo "$SILENT" | jq -r .id); ${until('/v1/pix/charges/$ID', '.copyPaste')}; api /v1/pix/charges/$ID | jq -c '{status, hasCode: (.copyPaste != null)}'`,
  },
]
