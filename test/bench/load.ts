import { type Socket, connect } from 'node:net'
import { availableParallelism, loadavg } from 'node:os'

/** What came of one batch of requests. */
export interface Sample {
  requests: number
  seconds: number
  /** In milliseconds, one for each request, sorted. */
  latencies: Float64Array
  /** Bytes of the last answer, headers apart. */
  bytes: number
}

/** One batch: so many requests, spread over the open connections, each sent when the last one on it was answered. */
export interface Batch {
  requests: readonly Buffer[]
  /** What every answer must have; anything else ends the run, since a refusal is quickly given. */
  status: number
  contains?: string
  /** Gets each answer, in no order; costs time, so only where the next batch needs it. */
  onAnswer?(index: number, body: string): void
}

/** No batch may take longer on a quiet machine, in milliseconds. */
const LONGEST_BATCH = 20_000

/** The same now: where others use the cores, a batch is waited for. */
const longestBatch = (): number =>
  LONGEST_BATCH * Math.max(1, 4 * (loadavg()[0]! / availableParallelism()))
/** A connection that was idle for longer is opened again, in milliseconds. */
const IDLE = 2000

const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Keeps connections open to a server, so that no batch pays for opening them. */
export class Load {
  readonly #port: number
  readonly #most: number
  #connections: Connection[] = []
  #lastUsed = 0

  constructor(port: number, connections: number) {
    this.#port = port
    this.#most = connections
  }

  /** Sends a batch over some of the connections, by default over all. */
  async run(batch: Batch, over = this.#most): Promise<Sample> {
    await this.#open()
    const latencies = new Float64Array(batch.requests.length)
    const contains = batch.contains === undefined ? undefined : Buffer.from(batch.contains)
    let sent = 0
    let bytes = 0
    const began = performance.now()
    const work = async (connection: Connection) => {
      while (sent < batch.requests.length) {
        const index = sent++
        const start = performance.now()
        const answer = await connection.ask(batch.requests[index]!)
        latencies[index] = performance.now() - start
        bytes = answer.body.length
        if (answer.status !== batch.status || (contains && !answer.body.includes(contains)))
          throw new Error(
            `Unexpected answer ${answer.status}: ${answer.body.toString().slice(0, 2000)}`,
          )
        batch.onAnswer?.(index, answer.body.toString())
      }
    }
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const answered = latencies.filter((latency) => latency > 0).length
        reject(
          new Error(`Only ${answered} of ${batch.requests.length} requests were answered in time.`),
        )
      }, longestBatch())
    })
    try {
      await Promise.race([tooLong, Promise.all(this.#connections.slice(0, over).map(work))])
    } finally {
      clearTimeout(timer)
    }
    const seconds = (performance.now() - began) / 1000
    this.#lastUsed = performance.now()
    return { requests: batch.requests.length, seconds, latencies: latencies.sort(), bytes }
  }

  close(): void {
    for (const connection of this.#connections) connection.close()
  }

  /** workerd hangs up on a connection that is idle for 5 seconds. */
  async #open(): Promise<void> {
    if (this.#connections.length > 0 && performance.now() - this.#lastUsed < IDLE) return
    this.close()
    this.#connections = await Promise.all(
      Array.from({ length: this.#most }, () => Connection.open(this.#port)),
    )
  }
}

interface Answer {
  status: number
  body: Buffer
}

/** The least of an HTTP/1.1 client: one request at a time, an answer with a length or in chunks. */
class Connection {
  readonly #socket: Socket
  #chunks: Buffer[] = []
  #length = 0
  /** How long the answer will be, once its head is there; Infinity for one in chunks. */
  #whole: number | undefined
  #headEnd = 0
  #status = 0
  #pending: { resolve(answer: Answer): void; reject(error: Error): void } | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', (error) => this.#pending?.reject(error))
    socket.on('close', () => this.#pending?.reject(new Error('The server closed the connection.')))
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket)))
      socket.once('error', reject)
    })
  }

  ask(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#pending = undefined
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#whole === undefined && !this.#readHead()) return
    const isWhole =
      this.#whole === Infinity
        ? this.#endsWithLastChunk(chunk)
        : this.#length >= (this.#whole ?? Infinity)
    if (!isWhole) return
    const all = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
    const answer = { status: this.#status, body: all.subarray(this.#headEnd) }
    const pending = this.#pending
    this.#chunks = []
    this.#length = 0
    this.#whole = undefined
    this.#pending = undefined
    pending?.resolve(answer)
  }

  #readHead(): boolean {
    const all = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
    const end = all.indexOf(HEAD_END)
    if (end < 0) return false
    const head = all.toString('latin1', 0, end)
    this.#status = Number(head.slice(9, 12))
    this.#headEnd = end + HEAD_END.length
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    const isEmpty = this.#status === 204 || this.#status === 304
    this.#whole = isEmpty
      ? this.#headEnd
      : length === undefined
        ? Infinity
        : this.#headEnd + Number(length)
    return true
  }

  #endsWithLastChunk(chunk: Buffer): boolean {
    const last = chunk.length >= LAST_CHUNK.length ? chunk : Buffer.concat(this.#chunks)
    return last.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
  }
}
