/** A line of a statement in OFX, as SGML. */
export const anOfxLine = (fields: Readonly<Record<string, string>>): string =>
  `<STMTTRN>\n${Object.entries({
    TRNTYPE: 'OTHER',
    DTPOSTED: '20261120120000[-3:BRT]',
    TRNAMT: '10.00',
    FITID: 'one',
    MEMO: 'Pix recebido',
    ...fields,
  })
    .map(([name, value]) => `<${name}>${value}\n`)
    .join('')}</STMTTRN>\n`

/** A statement in OFX 1.0.2, of 20 and 21 November unless another period is given, of the account that simulated banks hold. */
export const anOfx = (
  lines: readonly string[],
  account = '1234567',
  [from, to]: readonly [string, string] = ['20261120', '20261121'],
): string => `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX>
<BANKMSGSRSV1><STMTTRNRS><STMTRS>
<CURDEF>BRL
<BANKACCTFROM>
<BANKID>0077
<BRANCHID>0001
<ACCTID>${account}
<ACCTTYPE>CHECKING
</BANKACCTFROM>
<BANKTRANLIST>
<DTSTART>${from}
<DTEND>${to}
${lines.join('')}</BANKTRANLIST>
</STMTRS></STMTTRNRS></BANKMSGSRSV1>
</OFX>
`
