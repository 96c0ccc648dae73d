import t from 'tap'
import { prettyLine } from '../../../gateway/observability/pretty-line.ts'

const line = (fields: object): string =>
  JSON.stringify({ level: 30, time: '2026-11-22T10:11:12.345Z', ...fields })

t.test('a line for people has the time of day, the level, the message and what belongs to it', async (t) => {
  t.equal(
    prettyLine(line({ origin: 'http://127.0.0.1:8080', workers: 3, msg: 'serving' }), false),
    '10:11:12.345 INFO  serving origin=http://127.0.0.1:8080 workers=3\n',
  )
})

t.test('a request is told as people read one, without what it does not have', async (t) => {
  const request = {
    requestId: 'req_1',
    verb: 'POST',
    route: '/v1/pix/charges/:id/cancel',
    path: '/v1/pix/charges/txn_1/cancel',
    status: 201,
    code: null,
    durationMs: 4,
    msg: 'answered',
  }
  t.equal(
    prettyLine(line(request), false),
    '10:11:12.345 INFO  POST /v1/pix/charges/txn_1/cancel 201 in 4 ms requestId=req_1\n',
  )
})

t.test('the stack of an error stands below, indented', async (t) => {
  const err = { type: 'Error', message: 'no room', stack: 'Error: no room\n    at write (journal.js:1:2)' }
  t.equal(
    prettyLine(line({ level: 50, err, msg: 'shard 0 stops' }), false),
    '10:11:12.345 ERROR shard 0 stops\n    Error: no room\n        at write (journal.js:1:2)\n',
  )
})

t.test('nothing that a client sends reaches the terminal as more than text', async (t) => {
  const path = '/v1/\u001b[2J\u009b2J\n"quoted" ação'
  t.equal(
    prettyLine(line({ path, companyId: 'a b', msg: 'a request failed' }), false),
    '10:11:12.345 INFO  a request failed path="/v1/\\u001b[2J\\u009b2J\\n\\"quoted\\" ação" companyId="a b"\n',
  )
  t.notMatch(
    prettyLine(line({ path, verb: 'GET', status: 404, durationMs: 1, msg: 'answered' }), false),
    /[\u001b\u009b]/,
  )
  const err = { stack: 'Error: \u001b[2J\n    at a' }
  t.match(prettyLine(line({ err }), false), /^ {4}Error: \\u001b\[2J\n {8}at a\n$/m)
})

t.test('colors are for terminals', async (t) => {
  t.equal(
    prettyLine(line({ level: 40, shard: 1, msg: 'late' }), true),
    '\u001b[90m10:11:12.345\u001b[0m \u001b[33mWARN \u001b[0m late \u001b[90mshard=\u001b[0m1\n',
  )
})

t.test('what is no line of the log goes through as it is', async (t) => {
  t.equal(prettyLine('Warning: something\n', true), 'Warning: something\n')
})
