"""An unpatched discord.py client over a real socket, in strict mode: what it asks of Discord, it gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
import pytest
from discord import app_commands
from harness.discord import Seat, alt, buttons, is_ephemeral, options, running, text, until
from harness.tiny import ALT, Tiny, file, picture, view

from bot.sandbox.errors import Refused
from bot.sandbox.state import permissions
from bot.sandbox.world import World

if TYPE_CHECKING:
    from bot.sandbox.server import Server


async def test_a_client_meets_its_world(client: Tiny, world: World) -> None:
    assert client.user is not None
    assert client.user.id == client.application_id == world.application_id
    [guild] = client.guilds
    assert [c.name for c in guild.text_channels] == ["games"]
    assert guild.me.guild_permissions.value == permissions.BOT
    assert {c["name"] for c in world.commands} == {"show", "fruit", "later", "begin", "slow", "Greet"}


async def test_slash_with_picture_and_button(client: Tiny, ana: Seat, ben: Seat) -> None:
    sent = await ana.slash("show", who=ben, size=2)
    assert sent.message == ana.last == ben.last
    assert ana.last["content"] == f"{ben.mention}: 2"
    assert ana.last["interaction"]["name"] == "show"
    assert alt(ana.last) == [ALT]
    assert (ana.last["attachments"][0]["width"], ana.last["attachments"][0]["height"]) == (4, 2)
    await ben.press("Step 1")
    await ana.press("step:2")
    assert ana.last["content"] == "Step 2"
    assert list(buttons(ana.last)) == ["Step 3"]
    [attachment] = ana.last["attachments"]
    assert ana.world.attachment(int(attachment["id"])) == (picture(2), "image/png")
    assert client.errors == []


async def test_the_client_reads_a_message_as_it_was_sent(client: Tiny, ana: Seat, ben: Seat) -> None:
    await ana.slash("show", who=ben)
    channel = await client.fetch_channel(ana.channel_id)
    assert isinstance(channel, discord.TextChannel)
    message = await channel.fetch_message(int(ana.last["id"]))
    assert message.author == client.user
    assert message.interaction_metadata is not None
    assert message.interaction_metadata.user.id == ana.user_id
    [attachment] = message.attachments
    assert (attachment.description, attachment.width, attachment.is_spoiler()) == (ALT, 4, False)
    assert await attachment.read() == picture()
    assert isinstance(message.components[0], discord.ActionRow)


@pytest.mark.usefixtures("client")
async def test_mentions_are_those_allowed(ana: Seat, ben: Seat) -> None:
    await ana.slash("show", who=ben)
    assert ben.pings == []
    await ana.slash("show", who=ben, loud=True)
    assert [m["content"] for m in ben.pings] == [f"{ben.mention}: 1"]
    assert ana.pings == []


@pytest.mark.usefixtures("client")
async def test_autocomplete_names_choices(ana: Seat) -> None:
    assert await ana.choices("fruit", "name", name="p") == [
        {"name": "Apple", "value": "apple"},
        {"name": "Pear", "value": "pear"},
    ]
    assert await ana.choices("fruit", "name", name="zzz") == []
    await ana.slash("fruit", name="anything goes")
    assert ana.last["content"] == "anything goes"


@pytest.mark.usefixtures("client")
async def test_what_a_menu_answers_is_for_one_persons_eyes(ana: Seat, ben: Seat) -> None:
    await ana.slash("show", who=ben)
    assert options(ana.last) == ["Red", "Blue"]
    sent = await ben.choose("Blue", menu="Colour")
    assert ben.last == sent.message
    assert text(ben.last) == "You picked blue"
    assert is_ephemeral(ben.last)
    assert not is_ephemeral(ana.last)
    with pytest.raises(Refused):
        await ana.press("Step 7", ben.last)
    await ben.press("Step 7", ben.last)
    assert ben.last["content"] == "Step 7"


@pytest.mark.usefixtures("client")
async def test_a_modal_is_filled_in(ana: Seat, ben: Seat) -> None:
    await ana.slash("show", who=ben)
    opened = await ben.press("Note")
    with pytest.raises(Refused, match="required"):
        await ben.submit(opened, {"Place": "Paris"})
    with pytest.raises(Refused, match="characters"):
        await ben.submit(opened, {"Text": "x" * 21})
    await ben.submit(opened, {"Text": "hello", "place": "Paris"})
    assert ana.last["content"] == "Noted: hello at Paris"
    metadata = ana.last["interaction_metadata"]
    assert metadata["triggering_interaction_metadata"]["type"] == 3


@pytest.mark.usefixtures("client")
async def test_a_deferred_answer_is_filled_in(ana: Seat, ben: Seat) -> None:
    sent = await ana.slash("later")
    await until(lambda: ana.last["content"] == "And still more", "the follow-up is edited")
    assert sent.deferred
    assert sent.message is not None
    assert (sent.message["content"], alt(sent.message), sent.message["flags"]) == ("Done", [ALT], 0)
    assert [m["content"] for m in ben.messages] == ["Done", "And still more"]
    await ana.slash("later", hidden=True)
    await until(lambda: ana.last["content"] == "And still more" and is_ephemeral(ana.last), "the hidden one is edited")
    assert len(ana.messages) == 4
    assert len(ben.messages) == 2


@pytest.mark.usefixtures("client")
async def test_a_thread_is_begun_and_written_in(world: World, ana: Seat) -> None:
    await ana.slash("begin")
    await until(lambda: ana.last["attachments"] and ana.last["attachments"][0]["filename"] == "moved.png", "moved")
    board = ana.last
    assert board["content"] == "Moved"
    assert len(board["attachments"]) == 1
    assert board["edited_timestamp"] is not None
    thread = world.channels[int(board["id"])]
    assert (thread["name"], thread["parent_id"]) == ("The game", str(ana.channel_id))
    assert [m["content"] for m in ana.at(int(thread["id"])).messages] == ["Welcome"]


@pytest.mark.usefixtures("client")
async def test_a_context_menu_greets(ana: Seat, ben: Seat) -> None:
    sent = await ana.context("Greet", ben)
    assert sent.message is not None
    assert sent.message["content"] == "Hello Ben"
    assert ben.messages == []


async def test_in_direct_messages(client: Tiny, world: World, ana: Seat) -> None:
    user = await client.fetch_user(ana.user_id)
    sent = await user.send("Psst")
    assert sent.channel.id == ana.direct().channel_id
    assert ana.direct().last["content"] == "Psst"
    answer = await ana.direct().slash("show", who=ana)
    payload = answer.payload
    assert not {"guild_id", "guild_locale", "member"} & payload.keys()
    assert (payload["context"], payload["authorizing_integration_owners"]) == (1, {"0": "0"})
    assert payload["user"]["id"] == str(ana.user_id)
    reported = discord.Permissions(int(payload["app_permissions"]))
    assert (reported.attach_files, reported.send_messages) == (True, False)  # though it may write
    assert ana.direct().last["content"] == f"{ana.mention}: 1"
    stranger = Seat.join(world, "Eve", ana.direct().channel_id)
    with pytest.raises(Refused):
        await stranger.slash("show", who=ana)


async def test_the_same_nonce_sends_once(client: Tiny, ana: Seat) -> None:
    channel = client.get_channel(ana.channel_id)
    assert isinstance(channel, discord.TextChannel)
    first = await channel.send("Board", nonce="g1.5")
    again = await channel.send("Board", nonce="g1.5")
    other = await channel.send("Board", nonce="g1.6")
    assert first.id == again.id != other.id
    assert len(ana.messages) == 2


async def test_history_is_paged(client: Tiny, ana: Seat) -> None:
    channel = client.get_channel(ana.channel_id)
    assert isinstance(channel, discord.TextChannel)
    sent = [await channel.send(str(n)) for n in range(5)]
    assert [m.content async for m in channel.history(limit=2)] == ["4", "3"]
    assert [m.content async for m in channel.history(before=sent[2])] == ["1", "0"]
    assert [m.content async for m in channel.history(after=sent[2])] == ["3", "4"]
    assert [m.content async for m in channel.history(around=sent[2], limit=3)] == ["3", "2", "1"]
    await sent[4].delete()
    with pytest.raises(discord.NotFound) as caught:
        await channel.fetch_message(sent[4].id)
    assert caught.value.code == 10008
    reply = await sent[0].reply("Yes")
    assert ana.last["message_reference"]["message_id"] == str(sent[0].id)
    assert reply.type is discord.MessageType.reply


async def test_attachments_are_kept_replaced_and_added(client: Tiny, ana: Seat) -> None:
    channel = client.get_channel(ana.channel_id)
    assert isinstance(channel, discord.TextChannel)
    message = await channel.send(files=[file("a.png"), file("b.png")])
    kept = message.attachments[0]
    message = await message.edit(content="Still there")
    assert [a["filename"] for a in ana.last["attachments"]] == ["a.png", "b.png"]
    message = await message.edit(attachments=[kept, file("c.png")])
    assert [a["filename"] for a in ana.last["attachments"]] == ["a.png", "c.png"]
    assert ana.last["attachments"][0]["id"] == str(kept.id)
    assert set(ana.world.messages.files) == {int(a["id"]) for a in ana.last["attachments"]}
    await message.edit(attachments=[], content="Gone")
    assert ana.last["attachments"] == []
    assert ana.world.messages.files == {}


async def test_an_embed_takes_its_picture_with_it(client: Tiny, ana: Seat) -> None:
    channel = client.get_channel(ana.channel_id)
    assert isinstance(channel, discord.TextChannel)
    embed = discord.Embed(title="Board").set_image(url="attachment://a.png").add_field(name="To move", value="Ana")
    message = await channel.send(embed=embed, file=file("a.png"))
    assert message.attachments == []
    assert message.embeds[0].image.url == ana.last["embeds"][0]["image"]["url"]
    await message.edit(content="More")
    assert ana.last["attachments"] == []
    assert text(ana.last) == "More\nBoard\nTo move: Ana"


async def test_components_v2(client: Tiny, ana: Seat) -> None:
    class Layout(discord.ui.LayoutView):
        box: discord.ui.Container[discord.ui.LayoutView] = discord.ui.Container(
            discord.ui.TextDisplay("# Board"),
            discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://a.png", description=ALT)),
            discord.ui.Section("Your turn", accessory=discord.ui.Button(label="Go", custom_id="go")),
            discord.ui.Separator(),
            discord.ui.ActionRow(discord.ui.Button(label="Stop", custom_id="stop")),
            accent_colour=0x123456,
        )

    layout = Layout(timeout=None)
    channel = client.get_channel(ana.channel_id)
    assert isinstance(channel, discord.TextChannel)
    message = await channel.send(view=layout, file=file("a.png"))
    layout.stop()
    assert text(ana.last) == "# Board\nYour turn"
    assert list(buttons(ana.last)) == ["Go", "Stop"]
    gallery = ana.last["components"][0]["components"][1]
    assert gallery["items"][0]["media"]["url"] == ana.last["attachments"][0]["url"]
    assert message.flags.components_v2


async def test_a_custom_emoji_and_a_disabled_button(client: Tiny, ana: Seat) -> None:
    channel = client.get_channel(ana.channel_id)
    assert isinstance(channel, discord.TextChannel)
    dice = discord.ui.Button[discord.ui.View](emoji="\N{GAME DIE}", custom_id="roll", disabled=True)
    await channel.send(view=view(dice))
    with pytest.raises(Refused, match="disabled"):
        await ana.press("\N{GAME DIE}")


async def test_members_roles_and_rights(client: Tiny, world: World, ana: Seat) -> None:
    boss = Seat.join(world, "Boss", ana.channel_id, permissions=permissions.MANAGER)
    guild = client.guilds[0]
    assert (await guild.fetch_member(boss.user_id)).display_name == "Boss"
    assert len(await guild.fetch_roles()) == 3
    assert world.permissions.in_channel(boss.user_id, ana.channel_id) == permissions.MANAGER
    assert world.permissions.in_channel(ana.user_id, ana.channel_id) == permissions.MEMBER
    sent = await boss.slash("show", who=ana)
    assert int(sent.payload["member"]["permissions"]) == permissions.MANAGER
    with pytest.raises(discord.NotFound):
        await guild.fetch_member(1)


@pytest.mark.usefixtures("client")
async def test_an_interaction_says_where_and_for_whom(world: World, ben: Seat) -> None:
    world.deny(ben.channel_id, permissions.ATTACH_FILES)
    payload = (await ben.slash("show", who=ben)).payload
    assert payload["locale"] == "es-ES"
    assert payload["guild_locale"] == "en-US"
    assert payload["context"] == 0
    assert payload["authorizing_integration_owners"] == {"0": str(world.guild_id)}
    assert int(payload["app_permissions"]) == permissions.BOT & ~permissions.ATTACH_FILES
    assert payload["data"]["resolved"]["users"][str(ben.user_id)]["global_name"] == "Ben"


async def test_an_app_of_ones_own_where_the_bot_is_not(client: Tiny, world: World, ana: Seat, ben: Seat) -> None:
    elsewhere = world.add_channel("far", world.add_guild("Elsewhere", bot=False))
    with pytest.raises(Refused, match="installed"):
        await ana.at(elsewhere).slash("show", who=ana)
    for command in client.tree.get_commands():
        assert isinstance(command, app_commands.Command | app_commands.ContextMenu)
        command.allowed_installs = app_commands.AppInstallationType(guild=True, user=True)
        command.allowed_contexts = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)
    await client.tree.sync()
    payload = (await ana.at(elsewhere).slash("show", who=ana)).payload
    assert payload["authorizing_integration_owners"] == {"1": str(ana.user_id)}
    between = world.direct_channel(ana.user_id, ben.user_id, bot=False)
    assert (await ana.at(between).slash("show", who=ben)).payload["context"] == 2
    assert ben.at(between).last["content"] == f"{ben.mention}: 1"
    for place in (elsewhere, between):
        with pytest.raises(discord.Forbidden) as caught:
            await client.get_partial_messageable(place).send("Hello")
        assert caught.value.code == 50001


@pytest.mark.usefixtures("client")
async def test_option_checks_of_discords_client(ana: Seat, ben: Seat) -> None:
    for options_given, why in (
        ({}, "required"),
        ({"who": "12"}, "does not take"),
        ({"who": ben, "size": 3}, "one of"),
        ({"who": ben, "size": "1"}, "does not take"),
        ({"who": ben, "colour": 1}, "no options"),
    ):
        with pytest.raises(Refused, match=why):
            await ana.slash("show", **options_given)
    for command in ("shows", "show me"):
        with pytest.raises(Refused):
            await ana.slash(command)
    with pytest.raises(Refused, match="autocomplete"):
        await ana.choices("show", "who")


async def test_a_client_hears_of_a_manager_and_an_owner(client: Tiny, world: World, ana: Seat, ben: Seat) -> None:
    [guild] = client.guilds
    world.set_owner(guild.id, ana.user_id)
    assert world.permissions.in_channel(ana.user_id, ana.channel_id) == permissions.ALL
    await until(lambda: guild.owner_id == ana.user_id, "the owner")
    for rights in (permissions.MANAGER, permissions.MEMBER):
        world.grant(guild.id, ben.user_id, rights)
        assert world.permissions.in_guild(guild.id, ben.user_id) == rights
        await until(
            lambda r=rights: [x for x in guild.roles if (x.name, x.permissions.value) == ("ben", r)], "the role"
        )
    assert len(world.members[guild.id][ben.user_id]["roles"]) == 1


async def test_a_client_hears_nothing_from_where_it_cannot_look(world: World, stand_in: Server, ana: Seat) -> None:
    heard: list[int] = []

    class Listener(Tiny):
        async def on_message(self, message: discord.Message) -> None:
            heard.append(message.channel.id)

    assert stand_in.world is world
    other, thread = world.add_channel("other"), world.add_thread(ana.channel_id, "A thread", ana.user_id)
    async with running(Listener(intents=discord.Intents(guilds=True, guild_messages=True))) as client:
        world.deny(ana.channel_id, permissions.VIEW_CHANNEL)
        ana.say("hidden")
        ana.at(int(thread["id"])).say("hidden too")
        ana.at(other).say("heard")
        await until(lambda: heard, "a message")
        with pytest.raises(discord.Forbidden, match="Missing Access"):
            await client.get_partial_messageable(ana.channel_id).send("no")
        world.allow(ana.channel_id, permissions.VIEW_CHANNEL)
        ana.say("heard again")
        await until(lambda: len(heard) == 2, "another")
    assert heard == [other, ana.channel_id]
