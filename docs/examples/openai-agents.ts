// An agent of the OpenAI Agents SDK that books consults over MCP: it shows a preview, and commits after a person's yes.
//   npm install @openai/agents (it has all of @openai/agents-core, and the models of OpenAI)
//   const agent = await agentOf('gpt-5.1', 'https://connector.example.com', process.env.CONNECTOR_API_KEY)
//   console.log(await agent.say('Book a consult for Jordan Doe, jordan@example.com, tomorrow at ten.'))
import {
  Agent,
  type AgentInputItem,
  MCPServerStreamableHttp,
  type Model,
  run,
  user,
} from '@openai/agents-core'

const instructions = `You book consults. Preview each change with confirm=false and show the preview to the person.
Commit it, with the same idempotency_key, only after the person has said yes to that preview.`

/** A conversation with an agent that has the tools of the connector. */
export async function agentOf(model: string | Model, url: string, key?: string) {
  const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` }
  const server = new MCPServerStreamableHttp({
    name: 'consult',
    url: `${url}/mcp`,
    requestInit: { headers },
  })
  await server.connect()
  const agent = new Agent({ name: 'Front desk', instructions, model, mcpServers: [server] })
  let conversation: AgentInputItem[] = []
  return {
    async say(content: string): Promise<string> {
      const { finalOutput, history } = await run(agent, [...conversation, user(content)])
      conversation = history
      return finalOutput ?? ''
    },
    close: () => server.close(),
  }
}
