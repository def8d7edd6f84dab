// SPDX-License-Identifier: MIT
import Arguments

extension Crypticker {
    static let command = Command(
        "crypticker", summary: "the price of a bitcoin, today and on each of the last thirty days",
        description: """
            Prints the price of a day, its change against the day before, and a chart of thirty days in which the day is \
            marked. Days are those of UTC. Without DAY it is the newest price, and no mark.

            The exit status is 0; 1 if there is no price for the day; 2 if the arguments are wrong; 3 if there are no \
            prices, because the server cannot be asked or its answer cannot be used; 4 if the currency cannot be set; \
            5 if the output cannot be written.

            Prices come from CoinGecko. CRYPTICKER_ENDPOINT in the environment, or 'endpoint' in the defaults of \
            group.org.todayd.crypticker, is the URL of another server with the same answers; CRYPTICKER_TIMEOUT is how \
            many seconds to wait for it, 10 unless set. CRYPTICKER_SAMPLE is a file with an answer of the server, whose \
            prices are shown as sample prices where no server answers.
            """,
        options: [
            Option(
                "currency", short: "c", value: "CODE",
                help: "Set the currency (3 to 5 letters, as usd) for this program and the widget, which follows at once"
            ),
            Option("json", short: "j", help: "Print JSON"),
            Option("wait", help: "Wait for Enter before it ends, in a terminal that would close"),
        ],
        positionals: [
            Positional("DAY", isOptional: true, help: "as 2026-11-01, or as crypticker://day/2026-11-01")
        ],
        examples: [
            Command.Example("crypticker 2026-11-01", "The price on the first of November"),
            Command.Example("crypticker --currency eur", "Euros from now on, in the widget as well"),
        ])
}
