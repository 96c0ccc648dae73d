import autocannon from 'autocannon'
import { type Generator, newTag, timeoutSeconds } from './generator.ts'
import { markHolder } from './workloads.ts'

/**
 * The generator without wrk. It runs in one thread, because its threads cannot share a list of requests; it needs
 * about ten times wrk's processor time for a request and rounds latencies to milliseconds, so it measures itself
 * more than a fast service.
 */
export const autocannonGenerator: Generator = {
  name: 'autocannon, 1 thread',
  load: async (cleanup, { origin, requests, connections, seconds }) => {
    const tag = newTag()
    let sent = 0
    const next = (): autocannon.Request => {
      const { verb, path, headers, body } = requests[sent % requests.length]!
      sent += 1
      const mark = tag + String(sent).padStart(markHolder.length - tag.length, '0')
      const marked = (text: string): string => text.replace(markHolder, mark)
      const fields = Object.entries(headers).map(([name, value]) => [name, marked(value)])
      return {
        method: verb,
        path,
        headers: Object.fromEntries(fields),
        ...(body !== null && { body: marked(body) }),
      }
    }
    const options = { url: origin, connections, duration: seconds, timeout: timeoutSeconds }
    let stop = async (): Promise<void> => {}
    const result = await new Promise<autocannon.Result>((resolve, reject) => {
      const running = autocannon({ ...options, requests: [{ setupRequest: next }] }, (error, done) =>
        error ? reject(error) : resolve(done),
      )
      stop = cleanup.defer(() => running.stop())
    })
    await stop()
    return {
      requests: result.requests.total,
      seconds: result.duration,
      bytes: result.throughput.total,
      p50Us: 1000 * result.latency.p50,
      p99Us: 1000 * result.latency.p99,
      p999Us: 1000 * result.latency.p99_9,
      maxUs: 1000 * result.latency.max,
      statusErrors: result.non2xx,
      socketErrors: result.errors,
    }
  },
}
