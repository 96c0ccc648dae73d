import t from 'tap'
import { client, sleep } from '../gateway/wire/wire.ts'
import { metricsPage, newDataDir, newMerchant, startService } from './service.ts'
import { transports } from './transports.ts'

/**
 * A header line that begins with a colon hides the length of a body, which is a charge (security, 3.2). What comes behind
 * such a request must never be handled, whether it comes with it or later.
 */
for (const transport of transports) {
  t.test(`no request behind a hidden header is handled over ${transport}`, async (t) => {
    const dataDir = newDataDir(t)
    const service = await startService(t, { dataDir, env: { TRANSPORT: transport, LOG_LEVEL: 'debug' } })
    const { call, key } = await newMerchant(service)
    const port = Number(new URL(service.origin).port)
    const authorization = `Authorization: Bearer ${key.secret}\r\n`
    const body = '{"amount":1990}'
    const charge =
      `POST /v1/pix/charges HTTP/1.1\r\nHost: x\r\n${authorization}` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const framings = [`Content-Length: ${charge.length}\r\n`, 'Transfer-Encoding: chunked\r\n']
    const attacks = ['GET', 'HEAD', 'OPTIONS', 'DELETE', 'POST'].flatMap((verb) =>
      ['/healthz', '/v1/pix/charges'].flatMap((path) =>
        ['', authorization].flatMap((known) =>
          framings.map((framing) => `${verb} ${path} HTTP/1.1\r\nHost: x\r\n${known}: x\r\n${framing}\r\n`),
        ),
      ),
    )
    const clients = attacks.flatMap((head) => {
      const together = client(port)
      together.send(head + charge)
      const later = client(port)
      later.send(head)
      void sleep(50).then(() => later.send(charge))
      return [together, later]
    })
    // All of them are closed, after one answer or none.
    for (const { closed } of clients) t.ok((await closed).split('HTTP/1.1 ').length <= 2)
    t.equal((await call('GET', '/v1/pix/charges')).body.pagination.total, 0)
    const made = client(port)
    made.send(charge)
    t.equal((await made.answer()).status, 201, 'the charge itself is sound')
    t.equal((await call('GET', '/v1/pix/charges')).body.pagination.total, 1)
    made.destroy()
    if (transport !== 'node') return
    // The second of two requests in one packet comes before the first is answered.
    const impatient = client(port)
    impatient.send(charge + charge)
    t.equal(await impatient.closed, '', 'a connection with a request behind one without an answer is cut')
    t.match(await metricsPage(dataDir), /^payments_http_cut_total\{.*reason="pipelined".*\} [1-9]/m)
    await service.logged(
      '"reason":"pipelined","verb":"POST","path":"/v1/pix/charges","msg":"a connection was cut"',
    )
  })
}
